// In what order the files run: the fast ones first, then the late ones as they are listed, the longest at the head, so
// that no process is left with a long file when the others are done.

import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Tests that kill processes, change every byte of something, or start a browser, the package or programs of others:
 * files, and folders with a slash at the end.
 */
const LATE: readonly string[] = [
  'server/cli/main.test.ts',
  'package.test.ts',
  'clientPackage.test.ts',
  'server/devchain/kill.test.ts',
  'server/indexer/kill.test.ts',
  'server/devchain/log/kill.test.ts',
  'server/store/folder.test.ts',
  'server/devchain/lite/tampering.test.ts',
  'foreign/',
  'server/docs/pages.test.ts',
  'server/demo/interrupted.test.ts',
  'server/app/indexService.test.ts',
  'contract/demo.test.ts',
  'contract/overNetwork.test.ts',
  'server/devchain/soak.test.ts',
  'server/devchain/log/fuzz.test.ts',
  'server/tlb/hostile.test.ts',
  'readme.test.ts',
  'client/explorer/pages.test.ts',
  'client/explorer/tools.test.ts',
  'client/browser.test.ts',
  'server/devchain/lite/senseless.test.ts',
]

/** As globs. */
export const lateFiles: readonly string[] = LATE.map((path) => (path.endsWith('/') ? `${path}**/*.test.ts` : path))

export class Order extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const fileOf = ({ moduleId, project }: TestSpecification) =>
      relative(project.config.root, moduleId).replaceAll(sep, '/')
    const place = (spec: TestSpecification) => LATE.findIndex((path) => fileOf(spec).startsWith(path))
    const sorted = await super.sort(specs)
    return sorted.sort((a, b) => place(a) - place(b))
  }
}
