import { useState } from 'preact/hooks'
import { onChosen } from '../chosen.ts'
import { useKept } from '../keptText.ts'
import { client } from '../pageClient.ts'
import { decimal } from '../parts/Amount.tsx'
import { place } from '../router.ts'
import { AccountNameOptions, addressOf, amountOf, Field, Form, wrongAccount } from './labFields.tsx'
import { type CallEffects, Outcome } from './Outcome.tsx'
import { useCall } from './useCall.ts'

const ASSETS = { ton: 'TON', jetton: 'Demo jetton', nft: 'Demo NFT' } as const
type Asset = keyof typeof ASSETS

const JETTON_UNITS = 10n ** 9n

const AssetField = ({ asset, set }: { readonly asset: Asset; readonly set: (asset: Asset) => void }) => (
  <div class="field">
    <label for="faucet-asset">What</label>
    <select id="faucet-asset" value={asset} onChange={onChosen(ASSETS, set)}>
      {Object.entries(ASSETS).map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </div>
)

export function FaucetForm() {
  const [to, setTo] = useKept('faucet-to', 'wallet1', (kept) => place.value.query.get('to') ?? kept)
  const [amount, setAmount] = useKept('faucet-amount', '10')
  const [asset, setAsset] = useState<Asset>('ton')
  const [done, setDone] = useState<CallEffects | null>(null)
  const { busy, error, run } = useCall()
  const address = addressOf(to)
  const wrongAddress = wrongAccount(to)
  const parsed = amountOf(amount)
  const wrongAmount = asset !== 'nft' && 'wrong' in parsed ? parsed.wrong : null
  const isReady = to !== '' && wrongAddress === null && wrongAmount === null
  const send = (): void =>
    run(async () => {
      const nanotons = 'nanotons' in parsed ? parsed.nanotons : 0n
      const caused =
        asset === 'ton'
          ? await client.dev.faucet({ address, amount: `${nanotons}` })
          : asset === 'jetton'
            ? await client.dev.jetton({ address, amount: `${nanotons === 0n ? JETTON_UNITS : nanotons}` })
            : await client.dev.nft({ address })
      setDone(caused)
      return asset === 'nft' ? 'Minted an item.' : `Sent ${decimal(nanotons, 9)} ${ASSETS[asset]}.`
    })
  return (
    <Form class="card" aria-labelledby="faucet-title" isReady={isReady} start={send}>
      <h2 id="faucet-title">Faucet</h2>
      <AccountNameOptions id="account-names" />
      <Field
        id="faucet-to"
        label="To"
        value={to}
        set={setTo}
        wrong={wrongAddress}
        list="account-names"
        hint="A test account by name, or any address; it need not exist."
      />
      <AssetField asset={asset} set={setAsset} />
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
      <button type="submit" disabled={busy || !isReady}>
        {busy ? 'Sending…' : 'Send'}
      </button>
      <Outcome error={error} done={done} />
    </Form>
  )
}
