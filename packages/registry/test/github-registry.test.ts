import { emulatedGithub, ourGithub } from './github-hosts.ts';
import { registrySuite } from './registry-suite.ts';

registrySuite('a registry on GitHub', ourGithub);
registrySuite('a registry on an emulated GitHub', emulatedGithub, 3);
