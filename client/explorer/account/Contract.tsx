// Code and data of a contract.

import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { fromBase64 } from '../../../shared/base64.ts'
import { accountState } from '../../../shared/explorer/explorerQueries.ts'
import { abiOf } from '../decoders/stored.ts'
import { lazy } from '../lazyPage.tsx'
import { boot } from '../pageBoot.ts'
import { Copy } from '../parts/Copy.tsx'
import { Empty, NotYet } from '../parts/Empty.tsx'
import { Hash } from '../parts/Hash.tsx'
import { saveFile } from '../parts/save.ts'
import { useFolded } from '../parts/useFolded.ts'
import { useReplies } from '../useReplies.ts'
import { bagSizeText } from './bagSize.ts'
import type { PartProps } from './partProps.ts'

const AbiForm = lazy(async () => (await import('../decoders/AbiForm.tsx')).AbiForm)
const AbiFiles = lazy(async () => (await import('../decoders/AbiFiles.tsx')).AbiFiles)
const OwnStorage = lazy(async () => (await import('../decoders/OwnBody.tsx')).OwnStorage)
const PluginFields = lazy(async () => (await import('../decoders/PluginFields.tsx')).PluginFields)
const Cells = lazy(async () => (await import('../cell/Cells.tsx')).Cells)

interface DetailsProps {
  /** Its own on the page. */
  readonly name: string
  readonly title: ComponentChildren
  readonly content: () => ComponentChildren
}

/** Content that is loaded when it is opened. */
function Details({ name, title, content }: DetailsProps) {
  const [open, fold] = useFolded(name)
  return (
    <details {...fold}>
      <summary>{title}</summary>
      {open && content()}
    </details>
  )
}

function Bag({
  title,
  boc,
  hash,
}: {
  readonly title: string
  readonly boc: string | undefined
  readonly hash: string | undefined
}) {
  if (boc === undefined || hash === undefined) return null
  const name = title.toLowerCase()
  const ofWhat = <span class="for-readers"> of the {name}</span>
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p>
        <Hash of={hash} what={`hash of the ${name} below`} /> <span class="quiet">{bagSizeText(boc)}</span>{' '}
        <Copy text={boc} what={`${name} as base64`} label={<>Copy as base64{ofWhat}</>} />{' '}
        <button
          type="button"
          class="second small"
          onClick={() => saveFile(`${name}.boc`, new Uint8Array(fromBase64(boc) ?? []))}
        >
          Save the file{ofWhat}
        </button>
      </p>
      <Details name={name} title={<>Cells{ofWhat}</>} content={() => <Cells subject={boc} of={` of the ${name}`} />} />
    </section>
  )
}

interface ContractProps extends PartProps {
  /** Called when its bags were read: other parts of the page show their sizes. */
  readonly onRead: (found: unknown) => void
}

export function Contract({ raw, stamp, onRead }: ContractProps) {
  const found = useReplies([accountState(raw, true)], { stamp })
  useEffect(() => onRead(found.data), [found.data])
  if (found.data === null) return <NotYet of={found} />
  const state = found.data[0].accounts.find(({ address }) => address === raw)
  if (state?.frozen_hash)
    return (
      <Empty title="This account is frozen: the chain keeps no more than the hash of its code and data.">
        <p>
          A message that brings both as its StateInit, and TON for the rent, makes it work again. The hash of that
          StateInit: <Hash of={state.frozen_hash} what="hash of the StateInit" />
        </p>
      </Empty>
    )
  if (state?.code_boc === undefined) return <Empty title="This account has no code." />
  return (
    <>
      <Bag title="Code" boc={state.code_boc} hash={state.code_hash} />
      {state.code_hash !== undefined && (
        <section aria-label="ABI">
          <h3>ABI</h3>
          <AbiForm subject={state.code_hash} />
          <Details name="abis" title="All ABIs of this browser" content={() => <AbiFiles />} />
        </section>
      )}
      {state.code_hash !== undefined && state.data_boc !== undefined && abiOf(state.code_hash) !== undefined && (
        <OwnStorage code={state.code_hash} boc={state.data_boc} of="data" />
      )}
      {state.data_boc !== undefined && boot.plugin !== null && (
        <PluginFields
          what="storage"
          code={state.code_hash ?? null}
          interfaces={state.interfaces}
          boc={state.data_boc}
          way="in"
        />
      )}
      <Bag title="Data" boc={state.data_boc} hash={state.data_hash} />
    </>
  )
}
