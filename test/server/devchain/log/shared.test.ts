// A folder that was copied by links, so that the files of both are the same.

import { cp, link, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDevchain } from '../../../../server/devchain/index.ts'
import { expectRecords, open, recordsFrom, temporaryFolder } from './logSetup.ts'

/** A log of ten records, and its copy by links. */
async function withLinkedCopy() {
  const folder = await temporaryFolder()
  const { log } = await open(folder)
  await log.append(recordsFrom(0, 10), { durable: true })
  await log.close()
  const copy = `${folder}-copy`
  await mkdir(copy)
  for (const name of await readdir(folder)) await link(join(folder, name), join(copy, name))
  return { folder, copy }
}

const segment = (folder: string): Promise<Buffer> => readFile(join(folder, 'chain-00000001.log'))

test('its log is refused under both names, in a sentence, and is not changed', async () => {
  const { folder, copy } = await withLinkedCopy()
  const before = await segment(folder)
  for (const each of [folder, copy])
    await expect(open(each)).rejects.toMatchObject({
      code: 'shared',
      message: expect.stringMatching(
        /chain-00000001\.log is a file of another folder.*cp -Rp and start in that, or remove/,
      ),
    })
  expect(await segment(folder)).toEqual(before)
})

test('its copy by bytes is opened, and so is the folder itself once the other is removed', async () => {
  const { folder, copy } = await withLinkedCopy()
  await cp(copy, `${folder}-bytes`, { recursive: true })
  await rm(copy, { recursive: true })
  for (const each of [folder, `${folder}-bytes`]) {
    const again = await open(each)
    await again.log.append(recordsFrom(10, 1), { durable: true })
    await again.log.close()
    const { log: last, found } = await open(each)
    expectRecords(found)
    expect(found).toHaveLength(11)
    await last.close()
  }
})

test.each(['transactions.list', 'transactions.data'])('so is a chain of which only %s is shared', async (name) => {
  const folder = await temporaryFolder()
  const chain = await openDevchain({ folder })
  await chain.close()
  await link(join(folder, name), `${folder}-linked`)
  await expect(openDevchain({ folder })).rejects.toMatchObject({ code: 'shared' })
  await rm(`${folder}-linked`)
  await (await openDevchain({ folder })).close()
})
