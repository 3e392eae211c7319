import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests of functions: none of them changes its process, so that they can share one with what is loaded. */
const FUNCTIONS = ['packages/{core,registry,search,snapshot}/src/**/*.test.ts', 'apps/*/src/**/*.test.ts'];

/** Those of functions last: they are short, and keep every worker busy to the end. */
class FunctionsLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const areFunctions = (file: TestSpecification) => Number(!file.project.config.isolate);
    return sorted.sort((a, b) => areFunctions(a) - areFunctions(b));
  }
}

const PATIENCE = { testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    globalSetup: ['test-support/build.ts'],
    // Most tests wait for a git or a server of their own: one worker fewer than there are processors leaves one idle.
    maxWorkers: '100%',
    sequence: { sequencer: FunctionsLast },
    projects: [
      {
        test: {
          ...PATIENCE,
          name: 'all else',
          include: [
            'packages/*/{src,test}/**/*.test.ts',
            'apps/*/{src,test}/**/*.test.ts',
            'test/**/*.test.ts',
          ],
          exclude: FUNCTIONS,
        },
      },
      { test: { ...PATIENCE, name: 'functions', include: FUNCTIONS, isolate: false } },
    ],
  },
});
