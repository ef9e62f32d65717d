// A message to a contract: composed, emulated before anything is sent, and sent.

import { useState } from 'preact/hooks'
import { parseAddress, toRawUpper } from '../../../../shared/address.ts'
import { accountState } from '../../../../shared/explorer/explorerQueries.ts'
import { hexOf, rawOf } from '../../../../shared/explorer/views.ts'
import { learn } from '../../accountNames.ts'
import { useAbi } from '../../decoders/useAbi.ts'
import { lazy } from '../../lazyPage.tsx'
import { Address } from '../../parts/Address.tsx'
import { Hash } from '../../parts/Hash.tsx'
import { place } from '../../router.ts'
import { useReplies } from '../../useReplies.ts'
import { addressOf, amountOf, Field } from '../labFields.tsx'
import { Outcome } from '../Outcome.tsx'
import { useCall } from '../useCall.ts'
import { BodyFields } from './BodyFields.tsx'
import { type BodyDraft, bodyOf, type InitDraft } from './composeDraft.ts'
import { InitFields } from './InitFields.tsx'
import { type Emulated, emulate, type Sender, sendComposed, testWallets } from './sendComposed.ts'
import { useDeployed } from './useDeployed.ts'

const AbiForm = lazy(async () => (await import('../../decoders/AbiForm.tsx')).AbiForm)
const EmulatedTrace = lazy(async () => (await import('../../trace/EmulatedTrace.tsx')).EmulatedTrace)

const wrongAddress = (text: string): string | null =>
  text === '' || rawOf(addressOf(text)) !== null ? null : 'A name of a test account, or an address.'

const NO_BODY: BodyDraft = { kind: 'empty', text: '', message: '', typed: {} }
const NO_INIT: InitDraft = { code: '', kind: 'empty', data: '', typed: {} }
const ANYONE = ''

/** Hash of the code of an account; empty while it is not known. */
function useCodeHash(address: string): string {
  const raw = rawOf(address)
  const { data } = useReplies(raw === null ? [] : [accountState(raw)], { live: true })
  return data?.[0]?.accounts.find((one) => one.address === raw)?.code_hash ?? ''
}

export function Compose() {
  const [by, setBy] = useState('wallet1')
  const [from, setFrom] = useState('faucet')
  const [to, setTo] = useState(place.value.query.get('to') ?? '')
  const [value, setValue] = useState('0.1')
  const [bounce, setBounce] = useState(true)
  const [deploys, setDeploys] = useState(false)
  const [init, setInit] = useState(NO_INIT)
  const [body, setBody] = useState(NO_BODY)
  const [preview, setPreview] = useState<Emulated | null>(null)
  const [done, setDone] = useState<Awaited<ReturnType<typeof sendComposed>> | null>(null)
  const { busy, error, run } = useCall()

  const deployed = useDeployed(init)
  const known = useCodeHash(deploys ? '' : addressOf(to))
  const codeHash = deploys ? deployed.codeHash : known
  const abi = useAbi(codeHash)
  const made = bodyOf(body, abi)
  const amount = amountOf(value)
  const wallet = testWallets().find(({ name }) => name === by)
  const [source, target] = [parseAddress(addressOf(from)), deploys ? deployed.place : parseAddress(addressOf(to))]
  const sender: Sender | null = wallet !== undefined ? { wallet } : source && { from: source }
  const isInit = !deploys || deployed.init !== null
  const message =
    target !== null && isInit && 'nanotons' in amount && 'cell' in made
      ? { to: target, value: amount.nanotons, bounce, body: made.cell, init: deploys ? deployed.init : null }
      : null

  const act = (what: 'emulate' | 'send'): void => {
    if (sender === null || message === null) return
    setDone(null)
    run(async () => {
      if (what === 'send') {
        setDone(await sendComposed(sender, message))
        return 'Sent the message.'
      }
      const found = await emulate(sender, message)
      learn(found)
      setPreview(found)
      return null
    })
  }
  const isReady = !busy && sender !== null && message !== null
  return (
    <section class="card compose" aria-labelledby="compose-title">
      <h2 id="compose-title">Message</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) act('emulate')
        }}
      >
        <div class="columns">
          <div>
            <div class="field">
              <label for="compose-by">From</label>
              <select id="compose-by" value={by} onChange={(event) => setBy(event.currentTarget.value)}>
                {testWallets().map(({ name, kind }) => (
                  <option key={name} value={name}>
                    {name} ({kind}), signed
                  </option>
                ))}
                <option value={ANYONE}>any address, without a signature</option>
              </select>
            </div>
            {by === ANYONE && (
              <Field
                id="compose-from"
                label="Sender"
                value={from}
                set={setFrom}
                wrong={wrongAddress(from)}
                list="account-names"
                hint="It need not exist, and pays nothing."
              />
            )}
            <label class="check field">
              <input
                type="checkbox"
                checked={deploys}
                onChange={(event) => {
                  setDeploys(event.currentTarget.checked)
                  setBounce(!event.currentTarget.checked)
                }}
              />
              Deploy a contract
            </label>
            {deploys ? (
              <InitFields draft={init} set={setInit} abi={deployed.abi} deployed={deployed} />
            ) : (
              <Field
                id="compose-to"
                label="To"
                value={to}
                set={setTo}
                wrong={wrongAddress(to)}
                list="account-names"
                hint="A contract, by address or by the name of a test account."
              />
            )}
            {deploys && deployed.place && (
              <p class="field">
                Deploys to <Address of={toRawUpper(deployed.place)} copy />
              </p>
            )}
          </div>
          <div>
            <Field
              id="compose-value"
              label="Value, TON"
              value={value}
              set={setValue}
              wrong={'wrong' in amount ? amount.wrong : null}
            />
            <BodyFields draft={body} set={setBody} abi={abi} made={made} />
            <label class="check">
              <input type="checkbox" checked={bounce} onChange={(event) => setBounce(event.currentTarget.checked)} />
              Send it back when it fails
            </label>
          </div>
        </div>
        <p class="buttons">
          <button type="submit" disabled={!isReady}>
            Emulate
          </button>
          <button type="button" class="second" disabled={!isReady} onClick={() => act('send')}>
            {busy ? 'Working…' : 'Send'}
          </button>
        </p>
      </form>
      {codeHash !== '' && (
        <details class="field">
          <summary>{abi === null ? 'Add an ABI of this contract' : `ABI of ${abi.name}`}</summary>
          <AbiForm key={codeHash} subject={codeHash} />
        </details>
      )}
      {done !== null && 'message' in done && error === null ? (
        <p class="outcome" role="status">
          Accepted: <Hash of={hexOf(done.message) ?? ''} to="/trace/" copy={false} />
        </p>
      ) : (
        <Outcome error={error} done={done !== null && 'message' in done ? null : done} />
      )}
      {preview !== null && (
        <section aria-label="Emulation">
          <h3>Emulated: nothing was sent</h3>
          <EmulatedTrace emulated={preview} />
        </section>
      )}
    </section>
  )
}
