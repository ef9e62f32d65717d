import { expect, test } from 'vitest'
import { readAssets } from '../../../server/docs/assets.ts'
import { loadAssets } from '../../../server/docs/index.ts'

const text = (path: string) => loadAssets().get(path)?.body.toString() ?? ''

test('default: script and stylesheet with types and tags', () => {
  const assets = loadAssets()
  expect([...assets.keys()]).toEqual(['/assets/reference.js', '/assets/reference.css'])
  expect(assets.get('/assets/reference.js')?.type).toMatch(/^text\/javascript/)
  expect(assets.get('/assets/reference.css')?.type).toMatch(/^text\/css/)
  for (const { etag, body } of assets.values()) {
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    expect(body.length).toBeGreaterThan(1000)
  }
})

test('behavior: read once', () => {
  expect(loadAssets()).toBe(loadAssets())
})

test('error: a package that was not built says what to do', () => {
  expect(() => readAssets('/nowhere')).toThrow(/npm run build/)
})

test('the script stands alone', () => {
  expect(text('/assets/reference.js')).not.toMatch(/^import\s|\bimport\(|\bfrom '|sourceMappingURL/m)
  expect(text('/assets/reference.js')).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/)
})

test('nothing is loaded from anywhere else', () => {
  expect(text('/assets/reference.css')).not.toMatch(/url\(|@import/)
  expect(text('/assets/reference.js')).not.toMatch(/https?:\/\//)
})
