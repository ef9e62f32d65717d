// A message: who sent what to whom, and what its body says.

import type { ComponentChildren } from 'preact'
import type { Message } from '../../index.ts'
import { foreignText, interfacesOf } from '../accountNames.ts'
import { abiOf } from '../decoders/stored.ts'
import { lazy } from '../lazyPage.tsx'
import { messageOperation, type Receiver } from '../operations.ts'
import { boot } from '../pageBoot.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Copy } from '../parts/Copy.tsx'
import { currencyWords } from '../parts/currencyWords.ts'
import { Facts } from '../parts/Facts.tsx'
import { Hash } from '../parts/Hash.tsx'
import { JsonView } from '../parts/JsonView.tsx'
import { useStepState } from '../parts/useStepState.ts'
import { When } from '../parts/When.tsx'
import { href } from '../router.ts'

const LONGEST_COMMENT = 4_000
const SHOWN_BAG = 160
/** Longer addresses of pages are refused by services. */
const LONGEST_IN_ADDRESS = 5_000

interface MessageProps {
  readonly message: Message
  /** Among those of its transaction. */
  readonly name: string
  /** Whose message it is. */
  readonly account: string
  readonly isSent: boolean
  /** Hash of its code; its own description reads the body. */
  readonly code: string | null
}

/** Null for a fee of zero, as most messages have: it is not shown. */
const fee = (of: string | null) => (of === null || of === '0' ? null : <Amount of={of} />)

type Decoded = Readonly<Record<string, unknown>>

/** The text of a comment, when that is all the body is. */
function commentOf(decoded: Decoded | null | undefined): string | null {
  const text = decoded?.comment ?? decoded?.text
  return typeof text === 'string' ? text : null
}

/** Long ones are shown in part at first. */
function Comment({ text, of }: { readonly text: string; readonly of: string }) {
  const [isWhole, setWhole] = useStepState(`whole ${of}`, text.length <= LONGEST_COMMENT)
  return (
    <>
      <blockquote class="text">{foreignText(text, isWhole ? text.length : LONGEST_COMMENT)}</blockquote>
      {!isWhole && (
        <button type="button" class="second small" onClick={() => setWhole(true)}>
          Show all {text.length} characters
        </button>
      )}
    </>
  )
}

const yesNo = (value: boolean | null): string | null => (value === null ? null : value ? 'yes' : 'no')

const OwnBody = lazy(async () => (await import('../decoders/OwnBody.tsx')).OwnBody)
const PluginFields = lazy(async () => (await import('../decoders/PluginFields.tsx')).PluginFields)

function Body({ message, name, account, isSent, code }: MessageProps) {
  const content = message.message_content
  if (content === null) return <p class="quiet">No body.</p>
  const comment = commentOf(content.decoded)
  return (
    <>
      {code !== null && abiOf(code) !== undefined && <OwnBody code={code} boc={content.body} of={message.hash} />}
      {boot.plugin !== null && (
        <PluginFields
          what="message"
          of={message.hash}
          code={code}
          interfaces={interfacesOf(account)}
          boc={content.body}
          way={isSent ? 'out' : message.source === null ? 'external' : 'in'}
        />
      )}
      {comment !== null && <Comment key={message.hash} text={comment} of={message.hash} />}
      {content.decoded !== null && comment === null && <JsonView value={content.decoded} open={3} of={message.hash} />}
      <p class="bag">
        <code>{content.body.length > SHOWN_BAG ? `${content.body.slice(0, SHOWN_BAG)}…` : content.body}</code>
        <Copy text={content.body} what={`body of the ${name} as base64`} />{' '}
        {content.body.length <= LONGEST_IN_ADDRESS && (
          <a href={href(`/cell?boc=${encodeURIComponent(content.body)}`)}>As cells</a>
        )}
      </p>
    </>
  )
}

const operationOf = (message: Message, receiver: Receiver): ComponentChildren => {
  const name = messageOperation(message, receiver)
  // The first bits of a message from outside are mostly those of its signature.
  return message.opcode === null || (message.source === null && name === null) ? null : (
    <>
      {name !== null && <strong>{name} </strong>}
      <code>{message.opcode}</code>
    </>
  )
}

export function MessageView({ message, name, ...owner }: MessageProps) {
  const { destination } = message
  // What leaves the chain is described by the code that wrote it.
  const isOwn = !owner.isSent || destination === null
  const receiver: Receiver = isOwn ? owner : { account: destination }
  return (
    <>
      <Facts
        rows={[
          ['From', message.source === null ? 'outside' : <Address of={message.source} copy />],
          ['To', destination === null ? 'outside (a log)' : <Address of={destination} copy />],
          ['Value', message.value === null ? null : <Amount of={message.value} />],
          ['Extra currencies', currencyWords(message.value_extra_currencies)],
          ['Operation', operationOf(message, receiver)],
          ['Bounce', yesNo(message.bounce)],
          ['Bounced', message.bounced ? 'yes: sent back by its receiver' : null],
          ['Forwarding fee', message.fwd_fee === null ? null : <Amount of={message.fwd_fee} />],
          ['IHR fee', fee(message.ihr_fee)],
          ['Import fee', fee(message.import_fee)],
          ['Sent', message.created_at === null ? null : <When at={message.created_at} />],
          ['Logical time', message.created_lt],
          ['Hash', <Hash key="hash" of={message.hash} what={`hash of the ${name}`} />],
          [
            'Normalized hash',
            message.hash_norm && <Hash of={message.hash_norm} what={`normalized hash of the ${name}`} />,
          ],
          [
            'Body hash',
            message.message_content && <Hash of={message.message_content.hash} what={`body hash of the ${name}`} />,
          ],
          [
            'State init',
            message.init_state && <Hash of={message.init_state.hash} what={`hash of the state init of the ${name}`} />,
          ],
        ]}
      />
      <h3>Body</h3>
      <Body message={message} name={name} {...owner} />
    </>
  )
}
