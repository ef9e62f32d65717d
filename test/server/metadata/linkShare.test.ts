// Which links share the fetches of one site.

import { expect, test } from 'vitest'
import { linkShareOf } from '../../../server/metadata/linkShare.ts'

const shareOf = (link: string) => linkShareOf(link, 'https://gate.example')

test('names below one that somebody owns are one site, each a host of it', () => {
  const links = ['https://x.test/1', 'https://a.x.test/1', 'https://b.a.x.test/1', 'https://b.a.x.test./1']
  expect(links.map((link) => shareOf(link).site)).toEqual(links.map(() => 'x.test'))
  expect(new Set(links.map((link) => shareOf(link).host)).size).toBe(4)
  expect(shareOf('https://y.test/1').site).toBe('y.test')
})

test('addresses are one site, and what is not fetched is none', () => {
  for (const host of ['1.1.1.1', '8.8.8.8', '[2606:4700::1]', '0x08080808'])
    expect(shareOf(`https://${host}/1`).site).toBe('addresses')
  for (const link of ['http://x.test/', 'https://u:p@x.test/', '']) expect(shareOf(link).site).toBe('none')
})

test('content of IPFS is a site of its own beside other pages of the gateway', () => {
  expect(shareOf('ipfs://Qm1/a.json')).toEqual({ site: 'ipfs:', host: 'gate.example/ipfs/Qm1' })
  expect(shareOf('https://www.gate.example/a.json').site).toBe('gate.example')
})
