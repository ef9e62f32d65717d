// What the lab says before something happens, and what it keeps.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { client, context, inBrowser, open, page } from '../../setup/explorerScene.ts'
import { serve } from '../../setup/service.ts'

const PATIENCE = { timeout: 300_000 }

const start = () => serve({ withIndex: true, config: { seed: 'none', callMs: 60_000 } })

inBrowser(start, () => {
  const faucet = () => page.locator('form:has(#faucet-to)')

  test('what the faucet does not have is said before it is sent', async () => {
    await open('/lab')
    await page.getByLabel('Amount').fill('99999999999999999')
    const words = await faucet().getByText('The faucet does not have so much').textContent()
    const { accounts } = await client.dev.state()
    const { address = '' } = accounts.find(({ name }) => name === 'faucet') ?? {}
    const whole = BigInt(await client.getAddressBalance({ address })) / 1_000_000_000n
    expect(words?.replace(/[^\d.]/g, '')).toMatch(new RegExp(`^${whole}(?:\\.|$)`))
    expect(await faucet().getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await page.getByLabel('Amount').fill('1')
    await expect.poll(() => faucet().getByRole('button', { name: 'Send' }).isDisabled(), PATIENCE).toBe(false)
  })

  test('what is given and the interval of blocks are kept as the other fields are', async () => {
    await open('/lab')
    await page.getByLabel('What').selectOption('nft')
    await page.getByLabel('at an interval').click()
    await page.locator('#mining-interval').fill('7')
    await page.reload()
    await expect.poll(() => page.locator('#mining-interval').inputValue(), PATIENCE).toBe('7')
    expect(await page.getByLabel('What').inputValue()).toBe('nft')
    await page.locator('#mining-interval').fill('7s')
    await page.locator('form:has(#mining-interval) button').click()
    await expect.poll(async () => (await client.dev.state()).mining, PATIENCE).toBe('7s')
    // What was set is the chain's: another one set elsewhere shows.
    await client.dev.setMining({ mode: '9s' })
    await page.reload()
    await expect.poll(() => page.locator('#mining-interval').inputValue(), PATIENCE).toBe('9s')
    await page.getByLabel('with each message').click()
    await expect.poll(async () => (await client.dev.state()).mining, PATIENCE).toBe('auto')
  })

  test('a file of code that was built anew is read when it is chosen again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'built-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'code.txt')
    await open('/lab')
    await page.getByLabel('Deploy a contract').check()
    const session = await context.newCDPSession(page)
    for (const code of ['te6cckEBAQEADAAAFAAAAABIZWxsbyGVgYQo', 'te6cckEBAQEAAgAAAEysuc0=']) {
      await writeFile(file, code)
      await Promise.all([page.waitForEvent('filechooser'), page.locator('#compose-code-file').click()])
      const expression = "document.getElementById('compose-code-file')"
      const { result } = await session.send('Runtime.evaluate', { expression })
      await session.send('DOM.setFileInputFiles', { files: [file], objectId: result.objectId ?? '' })
      await expect.poll(() => page.locator('#compose-code').inputValue()).toBe(code)
    }
  })

  test('what was emulated is not shown below a message that was refused, or that was sent', async () => {
    await open('/lab')
    const emulated = page.getByRole('heading', { name: 'Emulated: nothing was sent' })
    const emulate = page.getByRole('button', { name: 'Emulate' })
    await page.locator('#compose-to').fill('wallet5')
    await emulate.click()
    await emulated.waitFor()
    await page.locator('#compose-value').fill('9'.repeat(40))
    await emulate.click()
    await page.getByRole('alert').getByText('is too large for an amount').waitFor()
    expect(await emulated.count()).toBe(0)
    await page.locator('#compose-value').fill('1')
    await emulate.click()
    await emulated.waitFor()
    await page.locator('.compose').getByRole('button', { name: 'Send' }).click()
    await page.locator('.compose .outcome').getByText('Accepted').waitFor()
    expect(await emulated.count()).toBe(0)
  })

  test('a screen reader reads out that a message was emulated', async () => {
    await open('/lab')
    await page.locator('#compose-to').fill('wallet5')
    await page.getByRole('button', { name: 'Emulate' }).click()
    await page.getByRole('status').getByText('Emulated the message.').waitFor()
  })

  test('an account that a field does not take is not sent from, or to', async () => {
    await open('/lab')
    const elsewhere = `5:${'5'.repeat(64)}`
    const emulate = page.getByRole('button', { name: 'Emulate' })
    await page.locator('#compose-by').selectOption('')
    for (const [from, to, isTaken] of [
      ['wallet4', 'wallet5', true],
      [elsewhere, 'wallet5', false],
      ['wallet4', elsewhere, false],
    ] as const) {
      await page.locator('#compose-from').fill(from)
      await page.locator('#compose-to').fill(to)
      await expect.poll(() => emulate.isEnabled(), PATIENCE).toBe(isTaken)
      expect(await page.locator('.compose [aria-invalid="true"]').count()).toBe(isTaken ? 0 : 1)
    }
  })

  test('the clock is reset after it is said what that does', async () => {
    await open('/lab')
    await page.getByRole('button', { name: '+1 h' }).click()
    await page.getByRole('button', { name: 'Reset …' }).click()
    await page.getByText(/keep the time of the newest one for (?:59 min|1 h)/).waitFor()
    await page.getByRole('button', { name: 'Keep' }).click()
    expect((await client.dev.state()).clock_offset).toBeGreaterThan(3_000)
    await page.getByRole('button', { name: 'Reset …' }).click()
    await page.getByRole('button', { name: 'Reset the clock' }).click()
    await page.getByText(/The clocks agree again in \d+ s/).waitFor()
    const [{ id } = { id: '' }] = (await client.dev.snapshots()).snapshots
    await client.dev.revert({ id })
    await client.dev.resetTime()
  })
})
