import { toRawUpper } from '../../../../shared/address.ts'
import { Address } from '../../parts/Address.tsx'
import { Check, Field, wrongAccount } from '../labFields.tsx'
import { InitFields } from './InitFields.tsx'
import { testWallets } from './senders.ts'
import { ANYONE, type Composition } from './useComposition.ts'

type EndsProps = Pick<Composition, 'draft' | 'set' | 'deployed'>

function SenderFields({ draft: { by, from }, set }: EndsProps) {
  return (
    <>
      <div class="field">
        <label for="compose-by">From</label>
        <select id="compose-by" value={by} onChange={(event) => set({ by: event.currentTarget.value })}>
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
          set={(text) => set({ from: text })}
          wrong={wrongAccount(from)}
          list="account-names"
          hint="It need not exist, and pays nothing."
        />
      )}
    </>
  )
}

/** Who sends a message, and to where: an account, or a contract that it deploys. */
export function MessageEnds({ draft, set, deployed }: EndsProps) {
  const { deploys, init, to } = draft
  return (
    <>
      <SenderFields draft={draft} set={set} deployed={deployed} />
      <Check class="check field" checked={deploys} set={(checked) => set({ deploys: checked, bounce: !checked })}>
        Deploy a contract
      </Check>
      {deploys ? (
        <InitFields draft={init} set={(next) => set({ init: next })} abi={deployed.abi} deployed={deployed} />
      ) : (
        <Field
          id="compose-to"
          label="To"
          value={to}
          set={(text) => set({ to: text })}
          wrong={wrongAccount(to)}
          list="account-names"
          hint="A contract, by address or by the name of a test account."
        />
      )}
      {deploys && deployed.init !== null && deployed.place !== undefined && (
        <p class="field" role="status">
          {deployed.place === null ? (
            'Its address cannot be computed: that takes a secure page, and all cells of the code.'
          ) : (
            <>
              Deploys to <Address of={toRawUpper(deployed.place)} copy />
            </>
          )}
        </p>
      )}
    </>
  )
}
