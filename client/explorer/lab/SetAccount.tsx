import { useState } from 'preact/hooks'
import { toBase64 } from '../../../shared/base64.ts'
import { bytesOfText } from '../cell/readBag.ts'
import { useKept } from '../keptText.ts'
import { client } from '../pageClient.ts'
import { Trouble } from '../parts/Empty.tsx'
import { amountOf } from './amountOf.ts'
import { cellOfText } from './compose/composeDraft.ts'
import { addressOf, Check, Field, Form, wrongAccount } from './labFields.tsx'
import { useCall } from './useCall.ts'

/** What a bag of cells is wrong with, unless it is empty. */
const wrongBag = (text: string): string | null => {
  const found = text === '' ? null : cellOfText(text)
  return found !== null && 'wrong' in found ? found.wrong : null
}

export function SetAccount() {
  const [account, setAccount] = useKept('account-account', '')
  const [balance, setBalance] = useKept('account-balance', '')
  const [code, setCode] = useKept('account-code', '')
  const [data, setData] = useKept('account-data', '')
  const [sure, setSure] = useState(false)
  const { busy, error, run } = useCall()
  const address = addressOf(account)
  const wrong = wrongAccount(account)
  const amount = balance === '' ? null : amountOf(balance)
  const wrongAmount = amount !== null && 'wrong' in amount ? amount.wrong : null
  const isComplete =
    account !== '' &&
    !wrong &&
    !wrongAmount &&
    !wrongBag(code) &&
    !wrongBag(data) &&
    [balance, code, data].some((text) => text !== '')
  const set = (): void =>
    run(async () => {
      const bag = (text: string): string => toBase64(bytesOfText(text))
      await client.dev.setAccount({
        address,
        ...(amount !== null && 'nanotons' in amount ? { balance: `${amount.nanotons}` } : {}),
        ...(code === '' ? {} : { code: bag(code) }),
        ...(data === '' ? {} : { data: bag(data) }),
      })
      setSure(false)
      return 'Changed the account.'
    })
  return (
    <Form class="card" aria-labelledby="account-title" isReady={isComplete && sure} start={set}>
      <h2 id="account-title">Account</h2>
      <Field id="account-address" label="Account" value={account} set={setAccount} wrong={wrong} list="account-names" />
      <Field
        id="account-balance"
        label="New balance, TON"
        value={balance}
        set={setBalance}
        wrong={wrongAmount}
        hint="Empty: stays as it is."
      />
      <Field id="account-code" label="New code, bag of cells" value={code} set={setCode} wrong={wrongBag(code)} />
      <Field id="account-data" label="New data, bag of cells" value={data} set={setData} wrong={wrongBag(data)} />
      <Check checked={sure} set={setSure}>
        The previous values are lost, and no transaction shows the change
      </Check>
      <p>
        <button type="submit" class="second" disabled={!isComplete} aria-disabled={busy || !sure}>
          Change
        </button>
      </p>
      {error && <Trouble error={error} />}
    </Form>
  )
}
