// A contract that sends itself all it has, as long as there is enough for gas: one message begins a trace of thousands of transactions.

import { beginCell, Cell } from '@ton/core'

/** ACCEPT, NEWC, 0b010000, MYADDR, 111 zero bits, ENDC, 128, SENDRAWMSG. */
const CODE = 'f800c8801001cb05f828cf167001cb6ec9810080fb00'

const codeOf = (hex: string): Cell => beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell()

/** What one of its transactions costs, in nanotons: somewhat more. */
const COST = 930_000

/** An account that makes about so many transactions, at once more than not. */
export const loopingContract = (transactions: number) => ({
  balance: String(transactions * COST),
  code: codeOf(CODE).toBoc().toString('base64'),
  data: new Cell().toBoc().toString('base64'),
})
