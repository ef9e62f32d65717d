// What `npm run build` does after the compiler of TypeScript: all steps, or those named on the command line. Each first checks
// whether its result is up to date, so that a usual start waits for nothing.

import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { areDemoContractsFresh, buildDemoContracts } from '../demo/contracts/buildDemoContracts.ts'
import { areContractsFresh, buildContracts } from '../devchain/contracts/buildContracts.ts'
import { areImagesFresh, buildImages } from '../store/pglite/buildImages.ts'
import { buildPage } from './buildPage.ts'
import { bundle } from './bundle.ts'
import { packClient } from './clientPackage.ts'
import { packTesting } from './testingPackage.ts'

interface Step {
  readonly run: () => Promise<void>
  /** Of a step that takes one core ten seconds: when it is due, it runs in a thread of its own. */
  readonly isFresh?: () => boolean
}

const STEPS: Readonly<Record<string, Step>> = {
  contracts: {
    async run() {
      await buildContracts()
      await buildDemoContracts()
    },
    isFresh: () => areContractsFresh() && areDemoContractsFresh(),
  },
  images: { run: buildImages, isFresh: areImagesFresh },
  bundle: { run: bundle },
  client: { run: packClient },
  testing: { run: packTesting },
  page: { run: buildPage },
}

const inThread = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: name })
    thread.on('error', reject).on('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`the build step ${name} ended with ${code}`))
    })
  })

async function runAll(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !Object.hasOwn(STEPS, name))
  if (unknown !== undefined) throw new Error(`no build step ${unknown}: there are ${Object.keys(STEPS).join(', ')}`)
  const wanted = Object.entries(STEPS).filter(([name]) => names.length === 0 || names.includes(name))
  const slow = wanted.filter(([, { isFresh }]) => isFresh !== undefined && !isFresh())
  const threads = slow.map(([name]) => inThread(name))
  // A failure is thrown below, when the others are done.
  for (const thread of threads) thread.catch(() => undefined)
  for (const [, { run, isFresh }] of wanted) if (isFresh === undefined) await run()
  await Promise.all(threads)
}

if (isMainThread) await runAll(process.argv.slice(2))
else await STEPS[String(workerData)]?.run()
