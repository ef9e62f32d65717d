import { useState } from 'preact/hooks'
import { accountState } from '../../../shared/explorer/explorerQueries.ts'
import { useKept } from '../keptText.ts'
import { chainState } from '../live.ts'
import { client } from '../pageClient.ts'
import { decimal } from '../parts/Amount.tsx'
import { place } from '../router.ts'
import { useReplies } from '../useReplies.ts'
import { amountOf } from './amountOf.ts'
import { AccountNameOptions, addressOf, Field, Form, SelectField, wrongAccount } from './labFields.tsx'
import { type CallEffects, Outcome } from './Outcome.tsx'
import { useCall } from './useCall.ts'

const ASSETS = { ton: 'TON', jetton: 'Demo jetton', nft: 'Demo NFT' } as const
type Asset = keyof typeof ASSETS

/** A part of a page that was written earlier may have kept another one. */
const assetOr = (kept: Asset): Asset => (Object.hasOwn(ASSETS, kept) ? kept : 'ton')

/** What the faucet has now, read when `isWanted`; null until it is known. */
function useFaucetBalance(isWanted: boolean): bigint | null {
  const faucet = chainState.value?.accounts.find(({ name }) => name === 'faucet')?.address
  const { data } = useReplies(isWanted && faucet !== undefined ? [accountState(faucet)] : [], { live: true })
  const balance = data?.[0]?.accounts[0]?.balance
  return balance ? BigInt(balance) : null
}

export function FaucetForm() {
  const [to, setTo] = useKept('faucet-to', 'wallet1', (kept) => place.value.query.get('to') ?? kept)
  const [amount, setAmount] = useKept('faucet-amount', '10')
  const [asset, setAsset] = useKept<Asset>('faucet-asset', 'ton', assetOr)
  const [isUsed, setUsed] = useState(false)
  const [done, setDone] = useState<CallEffects | null>(null)
  const { busy, error, run } = useCall()
  const address = addressOf(to)
  const wrongAddress = wrongAccount(to)
  const parsed = amountOf(amount)
  const has = useFaucetBalance(isUsed)
  const isTooMuch = asset === 'ton' && has !== null && 'nanotons' in parsed && parsed.nanotons > has
  const isNothing = asset !== 'nft' && 'nanotons' in parsed && parsed.nanotons === 0n
  const wrongAmount =
    asset !== 'nft' && 'wrong' in parsed
      ? parsed.wrong
      : isNothing
        ? 'An amount above zero.'
        : isTooMuch
          ? `The faucet does not have so much: ${decimal(has, 9)} TON are left.`
          : null
  const isReady = to !== '' && wrongAddress === null && wrongAmount === null
  const send = (): void =>
    run(async () => {
      setDone(null)
      const nanotons = 'nanotons' in parsed ? parsed.nanotons : 0n
      const caused =
        asset === 'ton'
          ? await client.dev.faucet({ address, amount: `${nanotons}` })
          : asset === 'jetton'
            ? await client.dev.jetton({ address, amount: `${nanotons}` })
            : await client.dev.nft({ address })
      setDone(caused)
      return asset === 'nft' ? 'Minted an item.' : `Sent ${decimal(nanotons, 9)} ${ASSETS[asset]}.`
    })
  return (
    <Form class="card" aria-labelledby="faucet-title" isReady={isReady} start={send} onFocusIn={() => setUsed(true)}>
      <h2 id="faucet-title">Faucet</h2>
      <AccountNameOptions id="account-names" />
      <Field
        id="faucet-to"
        label={
          <>
            To<span class="for-readers"> whom the faucet sends</span>
          </>
        }
        value={to}
        set={setTo}
        wrong={wrongAddress}
        list="account-names"
        hint="A test account by name, or any address; it need not exist."
      />
      <SelectField id="faucet-asset" label="What" options={ASSETS} value={asset} set={setAsset} />
      {asset !== 'nft' && (
        <Field
          id="faucet-amount"
          label="Amount"
          value={amount}
          set={setAmount}
          wrong={wrongAmount}
          hint={`${ASSETS[asset]}, not its smallest unit`}
        />
      )}
      <button type="submit" disabled={!isReady} aria-disabled={busy}>
        {busy ? 'Sending…' : 'Send'}
        <span class="for-readers"> from the faucet</span>
      </button>
      <Outcome error={error} done={done} />
    </Form>
  )
}
