// An internal message from any address, without a signature.

import { useState } from 'preact/hooks'
import { toBase64 } from '../../../shared/base64.ts'
import { rawOf } from '../../../shared/explorer/views.ts'
import { client } from '../api.ts'
import { BagError, bytesOfText, readBag } from '../cell/boc.ts'
import { bagOfComment, bagOfOpcode } from '../cell/write.ts'
import { addressOf, amountOf, Field } from './fields.tsx'
import { Outcome, type Started } from './Outcome.tsx'
import { useCall } from './useCall.ts'

const BODIES = { empty: 'Empty', comment: 'Comment', opcode: 'Opcode and query id', boc: 'Bag of cells' } as const
type Body = keyof typeof BODIES

/** The body to send, absent for an empty one; or what is wrong with the text. */
export function bodyOf(kind: Body, text: string): { readonly body?: string } | { readonly wrong: string } {
  if (kind === 'empty') return {}
  try {
    if (kind === 'comment') return { body: bagOfComment(text) }
    if (kind === 'boc') {
      const bytes = bytesOfText(text)
      readBag(bytes)
      return { body: toBase64(bytes) }
    }
  } catch (error) {
    if (error instanceof BagError || error instanceof RangeError) return { wrong: error.message }
    throw error
  }
  const body = bagOfOpcode(text)
  return body === null ? { wrong: 'An opcode, such as 0x7e8764ef.' } : { body }
}

const wrongAddress = (text: string): string | null =>
  text === '' || rawOf(addressOf(text)) !== null ? null : 'A name of a test account, or an address.'

export function Compose() {
  const [from, setFrom] = useState('wallet1')
  const [to, setTo] = useState('')
  const [value, setValue] = useState('0.1')
  const [bounce, setBounce] = useState(true)
  const [kind, setKind] = useState<Body>('empty')
  const [text, setText] = useState('')
  const [done, setDone] = useState<Started | null>(null)
  const { busy, error, run } = useCall()
  const amount = amountOf(value)
  const body = bodyOf(kind, text)
  const isComplete =
    to !== '' && from !== '' && !wrongAddress(to) && !wrongAddress(from) && 'nanotons' in amount && !('wrong' in body)
  const send = (): void =>
    run(async () => {
      if (!('nanotons' in amount) || 'wrong' in body) return null
      setDone(
        await client.dev.sendInternal({
          from: addressOf(from),
          to: addressOf(to),
          value: `${amount.nanotons}`,
          bounce,
          ...body,
        }),
      )
      return 'Delivered the message.'
    })
  return (
    <form
      class="card"
      aria-labelledby="compose-title"
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) send()
      }}
    >
      <h2 id="compose-title">Message</h2>
      <Field
        id="compose-from"
        label="From"
        value={from}
        set={setFrom}
        wrong={wrongAddress(from)}
        list="account-names"
        hint="Anyone: it is not charged and signs nothing."
      />
      <Field id="compose-to" label="To" value={to} set={setTo} wrong={wrongAddress(to)} list="account-names" />
      <Field
        id="compose-value"
        label="Value, TON"
        value={value}
        set={setValue}
        wrong={'wrong' in amount ? amount.wrong : null}
      />
      <div class="field">
        <label for="compose-kind">Body</label>
        <select id="compose-kind" value={kind} onChange={(event) => setKind(event.currentTarget.value as Body)}>
          {Object.entries(BODIES).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {kind !== 'empty' && (
        <Field
          id="compose-body"
          label={BODIES[kind]}
          value={text}
          set={setText}
          wrong={text !== '' && 'wrong' in body ? body.wrong : null}
        />
      )}
      <label class="check">
        <input type="checkbox" checked={bounce} onChange={(event) => setBounce(event.currentTarget.checked)} />
        Send it back when it fails
      </label>
      <p>
        <button type="submit" disabled={busy || !isComplete}>
          {busy ? 'Delivering…' : 'Deliver'}
        </button>
      </p>
      <Outcome error={error} done={done} />
    </form>
  )
}
