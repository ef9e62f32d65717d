// The last line of a run, for people and for scripts: how many tests passed, failed and did not run here.

import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      // A file that could not be read has no tests to count.
      count.failed += module.errors().length
      for (const test of module.children.allTests()) count[test.result().state]++
    }
    const idle = count.skipped + count.pending
    const notRun = idle > 0 ? `, ${idle} not run here` : ''
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed${notRun}\n`)
  }
}
