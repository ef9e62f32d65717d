// A message to a contract: composed, emulated before anything is sent, and sent.

import { useState } from 'preact/hooks'
import { hexOf } from '../../../../shared/explorer/views.ts'
import { learn } from '../../accountNames.ts'
import { loadedOrSaid } from '../../laterScript.ts'
import { lazy } from '../../lazyPage.tsx'
import { Hash } from '../../parts/Hash.tsx'
import { Check, Field, Form } from '../labFields.tsx'
import { Outcome } from '../Outcome.tsx'
import { type StartedCall, useCall } from '../useCall.ts'
import { BodyFields } from './BodyFields.tsx'
import { MessageEnds } from './MessageEnds.tsx'
import type { Emulated, sendComposed } from './sendComposed.ts'
import { type Composition, useComposition } from './useComposition.ts'

const AbiForm = lazy(async () => (await import('../../decoders/AbiForm.tsx')).AbiForm)
const EmulatedTrace = lazy(async () => (await import('../../trace/EmulatedTrace.tsx')).EmulatedTrace)

type Sent = Awaited<ReturnType<typeof sendComposed>>

const SentOutcome = ({ done, error }: { readonly done: Sent | null } & Pick<StartedCall, 'error'>) =>
  done !== null && 'message' in done && error === null ? (
    <p class="outcome" role="status">
      Accepted: <Hash of={hexOf(done.message) ?? ''} to="/trace/" copy={false} />
    </p>
  ) : (
    <Outcome error={error} done={done !== null && 'message' in done ? null : done} />
  )

const ContractAbi = ({ codeHash, abi }: Pick<Composition, 'codeHash' | 'abi'>) => (
  <details class="field">
    <summary>{abi === null ? 'Add an ABI of this contract' : `ABI of ${abi.name}`}</summary>
    <AbiForm key={codeHash} subject={codeHash} />
  </details>
)

const EmulatedSection = ({ emulated }: { readonly emulated: Emulated }) => (
  <section aria-label="Emulation">
    <h3>Emulated: nothing was sent</h3>
    <EmulatedTrace emulated={emulated} />
  </section>
)

export function Compose() {
  const { draft, set, deployed, codeHash, abi, made, amount, sender, message } = useComposition()
  const [preview, setPreview] = useState<Emulated | null>(null)
  const [done, setDone] = useState<Sent | null>(null)
  const { busy, error, run } = useCall()
  const isReady = sender !== null && message !== null

  const act = (what: 'emulate' | 'send'): void => {
    if (busy || sender === null || message === null) return
    setDone(null)
    run(async () => {
      const script = await loadedOrSaid(import('./sendComposed.ts'))
      if (script === null) return null
      if (what === 'send') {
        setPreview(null)
        setDone(await script.sendComposed(sender, message))
        return 'Sent the message.'
      }
      // That of another message stays until there is one of this, or the reason why there is none.
      const found = await script.emulate(sender, message).catch((failure: unknown) => {
        setPreview(null)
        throw failure
      })
      learn(found)
      setPreview(found)
      return 'Emulated the message.'
    })
  }
  return (
    <section class="card compose" aria-labelledby="compose-title">
      <h2 id="compose-title">Message</h2>
      <Form isReady={isReady} start={() => act('emulate')}>
        <div class="columns">
          <div>
            <MessageEnds draft={draft} set={set} deployed={deployed} />
          </div>
          <div>
            <Field
              id="compose-value"
              label="Value, TON"
              value={draft.value}
              set={(value) => set({ value })}
              wrong={'wrong' in amount ? amount.wrong : null}
            />
            <BodyFields draft={draft.body} set={(body) => set({ body })} abi={abi} made={made} />
            <Check checked={draft.bounce} set={(bounce) => set({ bounce })}>
              Send it back when it fails
            </Check>
          </div>
        </div>
        <p class="buttons">
          <button type="submit" disabled={!isReady} aria-disabled={busy}>
            Emulate
          </button>
          <button type="button" class="second" disabled={!isReady} aria-disabled={busy} onClick={() => act('send')}>
            {busy ? 'Working…' : 'Send'}
          </button>
        </p>
      </Form>
      {codeHash !== '' && <ContractAbi codeHash={codeHash} abi={abi} />}
      <SentOutcome done={done} error={error} />
      {preview !== null && <EmulatedSection emulated={preview} />}
    </section>
  )
}
