// How a service that was asked to stop ends: also where a disk hangs.

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Child, spoke, startChild, temporaryFolder } from '../../setup/children.ts'

/** By this clock a signal comes long after the one before. */
const SLOW = '() => (now += 60_000)'

/** Stops within the time that `close` takes; what it logs goes to standard output. */
const serviceThat = (close: string, clock = SLOW) => `
const { stopOnSignal } = await import(built + 'app/lifetime.js')
const fs = await import('node:fs')
const { Worker } = await import('node:worker_threads')
const say = (facts, text) => console.log(text)
let now = 0
stopOnSignal(${close}, { info: say, error: say }, ${clock})
setInterval(() => undefined, 1_000)
const long = 'x'.repeat(1 << 20)
`
const AT_ONCE = 'async () => undefined'
const NEVER = '() => new Promise(() => undefined)'
const HANGS = /a file is read or written without end/

const endOf = async (child: Child): Promise<unknown[]> => await once(child, 'exit')

/** A pipe that is read by none takes some bytes, and the next ones never, like a disk that hangs. */
async function hangingFile(): Promise<string> {
  const folder = await temporaryFolder()
  await mkdir(folder)
  const path = join(folder, 'file')
  execFileSync('mkfifo', [path])
  return path
}

describe.skipIf(process.platform === 'win32')('a service that is asked to stop', () => {
  test('default: exits once its last lines are written', async () => {
    const child = startChild(`${serviceThat(AT_ONCE)}console.log('on')`, [])
    await spoke(child)
    const ended = endOf(child)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test('error: one whose close fails says so', async () => {
    const child = startChild(`${serviceThat("async () => { throw new Error('no disk') }")}console.log('on')`, [])
    await spoke(child)
    const ended = endOf(child)
    child.kill('SIGTERM')
    expect(await ended).toEqual([1, null])
  })

  test('signals of one Ctrl+C, which npm and the terminal both send, count as one', async () => {
    const closing = "() => new Promise((resolve) => process.once('SIGUSR2', resolve))"
    const clock = "() => { console.log('heard'); return 60_000 }"
    const child = startChild(`${serviceThat(closing, clock)}console.log('on')`, [])
    await spoke(child)
    const ended = endOf(child)
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
    })
    for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) {
      const heard = said.split('heard').length
      child.kill(signal)
      await expect.poll(() => said.split('heard').length).toBe(heard + 1)
    }
    child.kill('SIGUSR2')
    expect(await ended).toEqual([0, null])
  })

  test.each([
    ['it has closed', AT_ONCE, 1],
    ['a second signal came', NEVER, 2],
  ] as const)('a write that never ends does not keep it once %s, and the log says why', async (_, close, signals) => {
    const write = `fs.createWriteStream(process.argv[1], { flags: 'r+' }).write(long); setTimeout(() => console.log('on'), 100)`
    const child = startChild(serviceThat(close) + write, [await hangingFile()])
    await spoke(child)
    const ended = endOf(child)
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
    })
    for (let sent = 0; sent < signals; sent++) {
      child.kill('SIGTERM')
      await expect.poll(() => said).toMatch(/stopping/)
    }
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(said).toMatch(HANGS)
  })

  test('a thread that never ends does not keep it after a third signal', async () => {
    const stuck = `
const source = "const fs = require('fs'); const file = fs.openSync(" + JSON.stringify(process.argv[1]) + ", 'r+');" +
  "require('worker_threads').parentPort.postMessage('writes'); fs.writeSync(file, 'x'.repeat(1 << 20))"
new Worker(source, { eval: true, execArgv: [] }).once('message', () => setTimeout(() => console.log('on'), 100))`
    const child = startChild(serviceThat(NEVER) + stuck, [await hangingFile()])
    await spoke(child)
    const ended = endOf(child)
    child.kill('SIGTERM')
    await spoke(child)
    child.kill('SIGTERM')
    // Until the second one is taken, another one is the second.
    const again = setInterval(() => child.kill('SIGTERM'), 100)
    onTestFinished(() => clearInterval(again))
    expect(await ended).toEqual([null, 'SIGTERM'])
  })
})
