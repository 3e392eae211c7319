import { gitHost } from './git-host.ts';
import { registrySuite } from './registry-suite.ts';

registrySuite('a registry over file://', () => gitHost('file'));
registrySuite('a registry over smart HTTP with a password', () => gitHost('http', 'ann:s3cret%40word'));
