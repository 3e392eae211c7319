import { backendSuite } from './backend-suite.ts';
import { emulatedGithub, ourGithub } from './github-hosts.ts';

backendSuite('a repository on GitHub', ourGithub);
backendSuite('a repository on an emulated GitHub', emulatedGithub);
