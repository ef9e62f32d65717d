// What is done to a chain most often, next to its head; the lab has the rest.

import { useCall } from '../lab/useCall.ts'
import { client } from '../pageClient.ts'
import { Trouble } from '../parts/Empty.tsx'
import { href } from '../router.ts'

async function jump(seconds: number): Promise<string> {
  // Time does not go back: the snapshot does.
  const { id } = await client.dev.snapshot()
  await client.dev.increaseTime({ seconds })
  await client.dev.mine({ blocks: 1 })
  return `Moved the clock; snapshot ${id} returns.`
}

const ACTS: readonly (readonly [label: string, act: () => Promise<string>])[] = [
  ['Mine 1', async () => `The newest block is ${(await client.dev.mine({ blocks: 1 })).seqno}.`],
  ['+1 h', () => jump(3600)],
  ['+1 d', () => jump(86_400)],
  ['Snapshot', async () => `Took snapshot ${(await client.dev.snapshot()).id}.`],
]

export function ChainControl() {
  const { busy, error, run } = useCall()
  return (
    <>
      <div class="buttons">
        {ACTS.map(([label, act]) => (
          <button key={label} type="button" class="second small" aria-disabled={busy} onClick={() => run(act)}>
            {label}
          </button>
        ))}
        <a href={href('/lab')}>More in the lab</a>
      </div>
      {error && <Trouble error={error} />}
    </>
  )
}
