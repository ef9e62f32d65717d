// A webhook that has all opcodes it may have: the refusal says what to do.

import { expect, test } from 'vitest'
import { sql } from '../../../server/store/index.ts'
import { freshDatabase } from '../../setup/database.ts'
import { openDelivery, wish } from './deliveryScene.ts'

test('one more is refused, and one that it has is not', async () => {
  await using database = await freshDatabase('pglite')
  const { ask } = openDelivery(database)
  const { webhook_id: id } = await ask('POST', '/webhooks', wish)
  await database.transaction((to) =>
    to.query(sql`insert into webhook_opcodes (webhook_id, opcode)
      select ${Number(id)}::int8, i from generate_series(1, 1000) i`),
  )
  const subscribe = (opcode: string) => ask('POST', `/webhooks/${id}/subscribe-msg-opcode/${opcode}`)
  const words = 'too many opcodes of one webhook: 1000 at most; unsubscribe some, or add another webhook'
  await expect(subscribe('0xffff')).rejects.toThrow(words)
  expect(await subscribe('0x1')).toEqual({})
})
