// Pictures of tokens, from hosts that anybody may have named.

import { expect, test } from 'vitest'
import { createPictures, type PicturesOptions } from '../../../server/metadata/pictures.ts'
import { CERTIFICATE, listen } from './tlsHost.ts'

function picturesFor(options: PicturesOptions) {
  const pictureAt = createPictures(options)
  const { signal } = new AbortController()
  return (link: string) => pictureAt(link, { subject: 'one', signal })
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex')
const JPEG = Buffer.from('ffd8ffe000044a46ffc000110800010001', 'hex')

test('a picture is fetched once, and what is none is not passed on, whatever it is called', async () => {
  const paths: string[] = []
  const bodies: Readonly<Record<string, Buffer>> = {
    '/a.png': PNG,
    '/a.jpg': JPEG,
    '/a.svg': Buffer.from('<svg onload="alert(1)"/>'),
    '/page.png': Buffer.from('<!doctype html><script>alert(1)</script>'),
    '/large.png': Buffer.concat([PNG, Buffer.alloc(3 << 20)]),
  }
  const port = await listen(({ url = '' }, response) => {
    paths.push(url)
    if (url === '/private') response.writeHead(302, { location: 'https://10.0.0.1/a.png' }).end()
    else if (url === '/broken') response.writeHead(500).end()
    else response.writeHead(200, { 'content-type': 'image/png' }).end(bodies[url])
  })
  const here = { address: '127.0.0.1', family: 4 }
  const pictureAt = picturesFor({
    ipfsGateway: `https://token.test:${port}`,
    rules: {
      resolve: async () => [here],
      isAllowed: (address) => address === here.address,
      ports: [port, ''],
      ca: CERTIFICATE,
      timeoutMs: 300_000,
    },
  })
  const at = (path: string) => pictureAt(`https://token.test:${port}${path}`)
  const [first, same] = await Promise.all([at('/a.png'), at('/a.png')])
  expect(first).toEqual({ type: 'image/png', bytes: PNG })
  expect(same).toEqual(first)
  expect(await at('/a.png')).toEqual(first)
  expect(paths).toEqual(['/a.png'])
  expect((await at('/a.jpg'))?.type).toBe('image/jpeg')
  for (const path of ['/a.svg', '/page.png', '/large.png', '/private']) expect(await at(path), path).toBeNull()
  for (let i = 0; i < 2; i++) expect(await at('/broken')).toBeNull()
  expect(paths.filter((path) => path === '/broken')).toHaveLength(2)

  for (const link of ['http://token.test/a.png', 'https://127.0.0.2/a.png', 'file:///etc/passwd', 'x'.repeat(5_000)])
    expect(await pictureAt(link), link.slice(0, 40)).toBeNull()
  const data = (kind: string, bytes: Buffer) => pictureAt(`data:image/${kind};base64,${bytes.toString('base64')}`)
  expect(await data('png', PNG)).toEqual(first)
  expect(await data('svg+xml', Buffer.from('<svg/>'))).toBeNull()
})

test('without fetches no name is looked up, and what a link holds is a picture all the same', async () => {
  const names: string[] = []
  const resolve = async (name: string) => {
    names.push(name)
    return []
  }
  const pictureAt = picturesFor({ ipfsGateway: 'https://ipfs.test', fetches: false, rules: { resolve } })
  for (const link of ['https://token.test/a.png', 'ipfs://Qm/a.png', 'http://token.test/a.png', 'javascript:alert(1)'])
    expect(await pictureAt(link), link).toBeNull()
  expect(await pictureAt(`data:image/png;base64,${PNG.toString('base64')}`)).toEqual({ type: 'image/png', bytes: PNG })
  expect(names).toEqual([])
})

const u16 = (value: number) => Buffer.from([value >> 8, value & 255]).toString('hex')
const le16 = (value: number) => Buffer.from([value & 255, value >> 8]).toString('hex')
const u32 = (value: number) => `0000${u16(value)}`
const riff = (form: string, rest: string) =>
  `5249464600000000${Buffer.from(`WEBP${form}`).toString('hex')}00000000${rest}`

/** Heads of files, of a width and a height below 16,384. */
const HEADS: Readonly<Record<string, (width: number, height: number) => string>> = {
  png: (width, height) => `89504e470d0a1a0a0000000d49484452${u32(width)}${u32(height)}`,
  'jpeg behind other segments': (width, height) => `ffd8ffe000044a46ffffdb000300ffc2001108${u16(height)}${u16(width)}`,
  gif: (width, height) => `474946383961${le16(width)}${le16(height)}0000002c00000000${le16(1)}${le16(1)}`,
  'gif whose frame is larger than its screen': (width, height) =>
    `474946383961${le16(1)}${le16(1)}80000000000000000021f90400000000002c00000000${le16(width)}${le16(height)}`,
  'webp, lossy': (width, height) => riff('VP8 ', `0000009d012a${le16(width)}${le16(height)}`),
  'webp, lossless': (width, height) => {
    const bits = Buffer.alloc(4)
    bits.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0)
    return riff('VP8L', `2f${bits.toString('hex')}`)
  },
  'webp, extended': (width, height) => riff('VP8X', `00000000${le16(width - 1)}00${le16(height - 1)}00`),
}

test.each(Object.entries(HEADS))(
  'a picture is passed on up to 16 million pixels, for a browser unpacks it: %s',
  async (_, head) => {
    const pictureAt = picturesFor({ ipfsGateway: 'https://ipfs.test' })
    const at = (width: number, height: number) => {
      const file = Buffer.from(head(width, height), 'hex')
      return pictureAt(`data:image/any;base64,${file.toString('base64')}`)
    }
    for (const [width, height] of [
      [1, 1],
      [4096, 4096],
      [16_000, 1_000],
    ] as const)
      expect(await at(width, height), `${width} by ${height}`).not.toBeNull()
    for (const [width, height] of [
      [4097, 4096],
      [4096, 4097],
      [16_000, 16_000],
    ] as const)
      expect(await at(width, height), `${width} by ${height}`).toBeNull()
  },
)

test('a picture that does not say how large it is, is none', async () => {
  const pictureAt = picturesFor({ ipfsGateway: 'https://ipfs.test' })
  for (const head of Object.values(HEADS)) {
    const file = Buffer.from(head(1, 1), 'hex')
    const cut = file.subarray(0, file.length - 8).toString('base64')
    expect(await pictureAt(`data:image/any;base64,${cut}`), cut).toBeNull()
  }
  const filling = Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(1 << 20, 0xff)])
  expect(await pictureAt(`data:image/jpeg;base64,${filling.toString('base64')}`)).toBeNull()
})

test.each([
  // Its stream may unpack to any size beside this one.
  ['avif', `0000001c66747970617669660000001469737065${u32(0)}${u32(1)}${u32(1)}`],
  [
    'png with another part in front of its sizes',
    `89504e470d0a1a0a00000008${Buffer.from('CgBI').toString('hex')}${u32(1)}${u32(1)}`,
  ],
])('a picture that does not say for sure how large it is is not passed on: %s', async (_, head) => {
  const pictureAt = picturesFor({ ipfsGateway: 'https://ipfs.test' })
  expect(await pictureAt(`data:image/any;base64,${Buffer.from(head, 'hex').toString('base64')}`)).toBeNull()
})
