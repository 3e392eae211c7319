import { backendSuite } from './backend-suite.ts';
import { gitHost } from './git-host.ts';

backendSuite('a git repository over file://', () => gitHost('file'));
backendSuite('a git repository over smart HTTP', () => gitHost('http'));
backendSuite('a git repository over smart HTTP with a password', () => gitHost('http', 'ann:s3cret%40word'));
