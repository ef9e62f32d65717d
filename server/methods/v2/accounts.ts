import type { accounts } from '../../../shared/v2/accounts.ts'
import { type AccountReader, readAccountAt } from '../accountAt.ts'
import type { Handlers } from '../call.ts'
import { toDigits } from '../view/digits.ts'

export const accountHandlers = (node: AccountReader): Handlers<typeof accounts> => ({
  async getAddressBalance({ address, seqno }, { signal }) {
    const { account } = await readAccountAt(node, address, seqno, signal)
    return toDigits(account?.storage.balance.grams ?? 0n)
  },
})
