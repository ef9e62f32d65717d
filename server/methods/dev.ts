// Control of the embedded chain, from wire types to its own.

import { type Address, toRaw } from '../../shared/address.ts'
import type { dev } from '../../shared/dev.ts'
import { ApiError } from '../../shared/errors.ts'
import { BocError, type Cell, readBoc } from '../cell/index.ts'
import type { AccountDescription, Control, MiningMode } from '../node/index.ts'
import type { Handlers } from './call.ts'
import { upstream } from './errors.ts'
import { toBlockId } from './view/block.ts'
import { toDigits } from './view/digits.ts'

export interface Controlled {
  readonly control: Control
  readonly accounts: readonly AccountDescription[]
}

const toName = ({ workchain, hash }: Address) => ({ workchain, id: hash })

function toCell(param: string, boc: Uint8Array): Cell {
  try {
    return readBoc(boc)
  } catch (error) {
    if (!(error instanceof BocError)) throw error
    throw new ApiError('invalidParams', `"${param}" is not a bag of cells: ${error.message}`, { param })
  }
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }

function toMode(text: string): MiningMode {
  if (text === 'auto' || text === 'manual') return text
  const [, digits, unit = 'ms'] = /^(\d+)(\D+)$/.exec(text) ?? []
  return { everyMs: Number(digits) * (UNITS[unit] ?? 1) }
}

const fromMode = (mode: MiningMode): string => (typeof mode === 'string' ? mode : `${mode.everyMs}ms`)

/** What the chain refuses because of its state is the caller's to hear. */
async function told<T>(work: Promise<T> | T): Promise<T> {
  try {
    return await upstream(Promise.resolve(work))
  } catch (error) {
    throw error instanceof RangeError ? new ApiError('invalidParams', error.message, {}, { cause: error }) : error
  }
}

export function devHandlers({ control, accounts }: Controlled): Handlers<typeof dev> {
  const head = () => {
    const { head: at, utime } = control.state()
    return { seqno: at.master.seqno, utime }
  }
  const done = async (work: Promise<unknown>) => {
    await told(work)
    return head()
  }
  return {
    'dev.faucet': ({ address, amount }) => done(control.faucet(toName(address), amount)),
    'dev.jetton': async ({ address, amount }) => {
      const { master, wallet } = await told(control.jetton(toName(address), amount))
      return { ...head(), master: toRaw(master), wallet: toRaw(wallet) }
    },
    'dev.nft': async ({ address }) => {
      const { collection, item, index } = await told(control.nft(toName(address)))
      return { ...head(), collection: toRaw(collection), item: toRaw(item), index: toDigits(index) }
    },
    'dev.mine': ({ blocks }) => done(control.mine(blocks)),
    'dev.increaseTime': ({ seconds }) => done(control.increaseTime(seconds)),
    'dev.setNextBlockTime': ({ utime }) => done(control.setNextBlockTime(utime)),
    'dev.snapshot': async () => ({ id: await told(control.snapshot()) }),
    'dev.revert': ({ id }) => done(control.revert(id)),
    'dev.setAccount': ({ address, balance, code, data }) =>
      done(
        control.setAccount({
          ...toName(address),
          ...(balance === undefined ? {} : { balance }),
          ...(code === undefined ? {} : { code: toCell('code', code) }),
          ...(data === undefined ? {} : { data: toCell('data', data) }),
        }),
      ),
    'dev.sendInternal': ({ from, to, value, body, bounce }) =>
      done(
        control.sendInternal({
          from: toName(from),
          to: toName(to),
          value,
          bounce,
          ...(body === undefined ? {} : { body: toCell('body', body) }),
        }),
      ),
    'dev.setMining': async ({ mode }) => {
      await told(new Promise<void>((resolve) => resolve(control.setMining(toMode(mode)))))
      return { mode: fromMode(control.state().mining) }
    },
    'dev.state': () => {
      const { head: at, utime, mining, clockOffset, pending, epoch } = control.state()
      return {
        head: toBlockId(at.master),
        utime,
        mining: fromMode(mining),
        clock_offset: clockOffset,
        pending,
        epoch,
        accounts: accounts.map(({ balance, ...rest }) => ({ ...rest, balance: balance as `${bigint}` })),
      }
    },
  }
}
