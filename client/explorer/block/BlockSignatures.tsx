// Who signed a masterchain block: keys of the set of validators of its time, with their weights, checked by the browser.

import { useEffect, useState } from 'preact/hooks'
import { fromBase64, toBase64 } from '../../../shared/base64.ts'
import { signersOfBlock } from '../../../shared/explorer/blockQueries.ts'
import { counted } from '../../../shared/explorer/counted.ts'
import { fromHex } from '../../../shared/hex.ts'
import type { Api, Block } from '../../index.ts'
import { percent } from '../format/number.ts'
import { Shortened } from '../parts/Address.tsx'
import { NotYet } from '../parts/Empty.tsx'
import { Table } from '../parts/Table.tsx'
import { href } from '../router.ts'
import { useReplies } from '../useReplies.ts'

type Signatures = Api['getMasterchainBlockSignatures']['result']
type Validator = NonNullable<Api['v3.validators.cycles']['result']['cycles'][number]['validators']>[number]

/** First bytes of what the short id of an Ed25519 key is a hash of (`pub.ed25519` in TL). */
const KEY_TAG = [0xc6, 0xb4, 0x13, 0x48]

async function shortIdOf(key: string): Promise<string> {
  const bytes = Uint8Array.from([...KEY_TAG, ...(fromHex(key) ?? [])])
  return toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** What validators sign begins with (`ton.blockId` in TL). */
const BLOCK_TAG = [0x70, 0x6e, 0x0b, 0xc5]

interface Signed {
  readonly key: string
  readonly signature: string
}

async function isValid({ root_hash: root, file_hash: file }: Block, { key, signature }: Signed): Promise<boolean> {
  const text = Uint8Array.from([...BLOCK_TAG, ...(fromBase64(root) ?? []), ...(fromBase64(file) ?? [])])
  const own = await crypto.subtle.importKey('raw', Uint8Array.from(fromHex(key) ?? []), 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', own, Uint8Array.from(fromBase64(signature) ?? []), text)
}

interface Examined {
  /** Validators by the short ids of their keys. */
  readonly byId: ReadonlyMap<string, Validator>
  /** Whether each signature is one of its key and this block, by `checkOf`. */
  readonly checks: ReadonlyMap<string, boolean>
}

type OneSignature = Signatures['signatures'][number]

/** A service that lies can have one signature for two keys. */
const checkOf = ({ node_id_short: id, signature }: OneSignature): string => `${id} ${signature}`

async function examine(block: Block, { signatures }: Signatures, members: readonly Validator[]): Promise<Examined> {
  // A page without TLS has no hashes.
  if (crypto.subtle === undefined) return { byId: new Map(), checks: new Map() }
  const named = members.map(async (one) => [await shortIdOf(one.validator_pubkey), one] as const)
  const byId = new Map(await Promise.all(named))
  const checked = signatures.flatMap((one) => {
    const key = byId.get(one.node_id_short)?.validator_pubkey
    const { signature } = one
    return key === undefined
      ? []
      : [isValid(block, { key, signature }).then((isGood) => [checkOf(one), isGood] as const)]
  })
  // Older browsers have no Ed25519.
  return { byId, checks: new Map(await Promise.all(checked).catch(() => [])) }
}

/** What is usual, which takes as much room. */
const expected = ({ signatures }: Signatures, members: readonly Validator[]): Examined => ({
  byId: new Map(signatures.flatMap(({ node_id_short: id }, at) => (members[at] ? [[id, members[at]]] : []))),
  checks: new Map(signatures.map((one) => [checkOf(one), true])),
})

/** Null until all are examined. */
function useExamined(block: Block, signed: Signatures | undefined, members: readonly Validator[]): Examined | null {
  const [found, setFound] = useState<Examined | null>(null)
  useEffect(() => {
    if (signed === undefined) return
    let isCurrent = true
    void examine(block, signed, members)
      // What cannot be examined is shown as such.
      .catch(() => ({ byId: new Map(), checks: new Map() }))
      .then((examined) => isCurrent && setFound(examined))
    return () => {
      isCurrent = false
      setFound(null)
    }
  }, [signed])
  return found
}

const Check = ({ isGood }: { readonly isGood: boolean | undefined }) =>
  isGood === undefined ? (
    <span class="quiet">not checked</span>
  ) : (
    <span class={isGood ? 'badge good' : 'badge bad'}>{isGood ? 'valid' : 'wrong'}</span>
  )

const shareOf = (part: bigint, whole: bigint): string => percent(Number((part * 10_000n) / (whole || 1n)) / 10_000)

const weightOf = (list: readonly Validator[]): bigint => list.reduce((sum, { weight }) => sum + BigInt(weight), 0n)

export function BlockSignatures({ block }: { readonly block: Block }) {
  const found = useReplies(signersOfBlock(block.seqno, block.gen_utime))
  const { data } = found
  const cycle = data?.[1].cycles[0]
  // Those of the masterchain come first in a set.
  const members = cycle?.validators?.slice(0, cycle.main) ?? []
  const examined = useExamined(block, data?.[0], members)
  if (data === null) return <NotYet of={found} />
  const { byId, checks } = examined ?? expected(data[0], members)
  const { signatures } = data[0]
  const isKnown = signatures.every(({ node_id_short: id }) => byId.has(id))
  const counting = signatures.filter((one) => checks.get(checkOf(one)) !== false)
  const signers = [...new Set(counting.map(({ node_id_short: id }) => id))].flatMap((id) => byId.get(id) ?? [])
  const total = weightOf(members)
  return (
    <div class={examined === null ? 'unseen' : undefined}>
      <p>
        {counted(signatures.length, 'signature')}
        {isKnown && total > 0n && (
          <>
            {' '}
            with <strong>{shareOf(weightOf(signers), total)}</strong> of the weight of the{' '}
            {counted(members.length, 'validator')} of the masterchain
          </>
        )}
        . A block counts with more than two thirds.
      </p>
      <Table
        label="Table of signatures"
        columns={['Validator', 'Public key', 'Short id of the key', 'Signature', { number: 'Weight' }]}
      >
        {signatures.map((one) => {
          const id = one.node_id_short
          const signer = byId.get(id)
          return (
            <tr key={checkOf(one)}>
              <td>{signer?.validator_index ?? <span class="quiet">of an unknown set</span>}</td>
              <td class="hash">{signer && <Shortened text={signer.validator_pubkey.toLowerCase()} />}</td>
              <td class="hash">
                <Shortened text={id} />
              </td>
              <td>
                <Check isGood={checks.get(checkOf(one))} />
              </td>
              <td class="number">{signer && shareOf(BigInt(signer.weight), total)}</td>
            </tr>
          )
        })}
      </Table>
      <p class="quiet">
        A validator signs the root and file hash of the block. To check it elsewhere, get the{' '}
        <a href={href(`/console/getMasterchainBlockSignatures?seqno=${block.seqno}`)}>signatures as they are</a> and the{' '}
        <a href={href('/config')}>set of validators in the configuration</a>.
      </p>
    </div>
  )
}
