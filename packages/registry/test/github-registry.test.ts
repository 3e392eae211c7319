import { ourGithub } from './github-hosts.ts';
import { registrySuite } from './registry-suite.ts';

registrySuite('a registry on GitHub', ourGithub);
