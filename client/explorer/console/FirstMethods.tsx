// Where a person may begin who has not chosen a method.

import { Facts } from '../parts/Facts.tsx'
import { href } from '../router.ts'
import type { MethodLine } from './methods.ts'

/** One of each kind of question; a service has only some of them. */
const FIRST = [
  'getAddressBalance',
  'runGetMethod',
  'v3.accountStates',
  'v3.actions',
  'v3.transactions',
  'v3.jetton.wallets',
  'v3.nft.items',
  'dev.faucet',
]

export const FirstMethods = ({ methods }: { readonly methods: readonly MethodLine[] }) => (
  <div class="forms">
    <p class="quiet">Choose a method: its form begins with an example. To begin with:</p>
    <Facts
      rows={FIRST.flatMap((first) => methods.find(({ name }) => name === first) ?? []).map(({ name, summary }) => [
        name,
        <a key={name} href={href(`/console/${name}`)}>
          {summary}
        </a>,
      ])}
    />
  </div>
)
