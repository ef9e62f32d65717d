// The connected wallet is the far side: what it would be sent is looked at.

import { Address, beginCell, Cell, SendMode } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { type TonConnectMessage, tonConnectSender } from '../../../client/ton/index.ts'

const WALLET = `0:${'11'.repeat(32)}`
const TO = Address.parse(`0:${'22'.repeat(32)}`)

function connected() {
  const requested: { validUntil: number; messages: TonConnectMessage[] }[] = []
  const connector = {
    account: { address: WALLET },
    sendTransaction: async (request: (typeof requested)[number]) => requested.push(request),
  }
  return { requested, sender: tonConnectSender(connector) }
}

describe('a connected wallet', () => {
  test('gets a plain transfer', async () => {
    const { requested, sender } = connected()
    await sender.send({ to: TO, value: 5n, bounce: false })
    expect(sender.address?.toRawString()).toBe(WALLET)
    expect(requested[0]?.messages).toEqual([{ address: TO.toString({ bounceable: false }), amount: '5' }])
    const left = (requested[0]?.validUntil ?? 0) - Date.now() / 1000
    expect(left).toBeGreaterThan(60)
    expect(left).toBeLessThanOrEqual(300)
  })

  test('is given body, code and data, extra currencies', async () => {
    const { requested, sender } = connected()
    const cell = beginCell().storeUint(7, 32).endCell()
    const init = { code: cell, data: Cell.EMPTY }
    await sender.send({ to: TO, value: 5n, body: cell, init, extracurrency: { 239: 9n }, sendMode: 1 })
    const [message] = requested[0]?.messages ?? []
    expect(message).toMatchObject({ address: TO.toString(), extraCurrency: { 239: '9' } })
    expect(Cell.fromBase64(message?.payload ?? '').equals(cell)).toBe(true)
    expect(Cell.fromBase64(message?.stateInit ?? '').refs.map((ref) => ref.equals(cell))).toEqual([true, false])
  })

  test.each([SendMode.CARRY_ALL_REMAINING_BALANCE, SendMode.NONE])(
    'error: a mode of sending it has no choice of, %i',
    async (sendMode) => {
      const { requested, sender } = connected()
      await expect(sender.send({ to: TO, value: 5n, sendMode })).rejects.toThrow(`${sendMode} is another one`)
      expect(requested).toEqual([])
    },
  )

  test('error: none is connected', () => {
    expect(() => tonConnectSender({ account: null, sendTransaction: async () => {} })).toThrow('no wallet is connected')
  })
})
