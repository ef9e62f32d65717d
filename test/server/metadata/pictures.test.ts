// Pictures of tokens, from hosts that anybody may have named.

import { expect, test } from 'vitest'
import { createPictures } from '../../../server/metadata/pictures.ts'
import { CERTIFICATE, listen } from './tlsHost.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const never = new AbortController().signal

test('a picture is fetched once, and what is none is not passed on, whatever it is called', async () => {
  const paths: string[] = []
  const bodies: Readonly<Record<string, Buffer>> = {
    '/a.png': PNG,
    '/a.jpg': Buffer.from('ffd8ffe000104a464946', 'hex'),
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
  const pictureAt = createPictures({
    ipfsGateway: `https://token.test:${port}`,
    rules: {
      resolve: async () => [here],
      isAllowed: (address) => address === here.address,
      ...{ ports: [port, ''], ca: CERTIFICATE },
    },
  })
  const at = (path: string) => pictureAt(`https://token.test:${port}${path}`, never)
  const [first, same] = await Promise.all([at('/a.png'), at('/a.png')])
  expect(first).toEqual({ type: 'image/png', bytes: PNG })
  expect(same).toEqual(first)
  expect(await at('/a.png')).toEqual(first)
  expect(paths).toEqual(['/a.png'])
  expect((await at('/a.jpg'))?.type).toBe('image/jpeg')
  for (const path of ['/a.svg', '/page.png', '/large.png', '/private']) expect(await at(path), path).toBeNull()
  await expect(at('/broken')).rejects.toThrow('the answer is 500')
  await expect(at('/broken')).rejects.toThrow('the answer is 500')
  expect(paths.filter((path) => path === '/broken')).toHaveLength(2)

  for (const link of ['http://token.test/a.png', 'https://127.0.0.2/a.png', 'file:///etc/passwd', 'x'.repeat(5_000)])
    expect(await pictureAt(link, never), link.slice(0, 40)).toBeNull()
  const data = (kind: string, bytes: Buffer) =>
    pictureAt(`data:image/${kind};base64,${bytes.toString('base64')}`, never)
  expect(await data('png', PNG)).toEqual(first)
  expect(await data('svg+xml', Buffer.from('<svg/>'))).toBeNull()
})
