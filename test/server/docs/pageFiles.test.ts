import { expect, test } from 'vitest'
import { loadAssets } from '../../../server/docs/index.ts'
import { readAssets } from '../../../server/docs/pageFiles.ts'

const text = (path: string) => loadAssets().get(path)?.body.toString() ?? ''

test('default: script and stylesheet with types and tags', () => {
  const assets = loadAssets()
  expect([...assets.keys()]).toEqual(expect.arrayContaining(['/assets/reference.js', '/assets/reference.css']))
  expect(assets.get('/assets/reference.js')?.type).toMatch(/^text\/javascript/)
  expect(assets.get('/assets/reference.css')?.type).toMatch(/^text\/css/)
  for (const [path, { etag, body }] of assets) {
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    // The bundler also writes files that only join others.
    if (!path.startsWith('/explorer/chunk-')) expect(body.length, path).toBeGreaterThan(0)
  }
})

test('behavior: read once', () => {
  expect(loadAssets()).toBe(loadAssets())
})

test('error: a package that was not built says what to do', () => {
  expect(() => readAssets('/nowhere')).toThrow(/npm run build/)
})

const scripts = () => [...loadAssets().keys()].filter((path) => /^\/assets\/.*\.js$/.test(path))

test('the script of the reference is one file, and writes no HTML', () => {
  expect(scripts()).toEqual(['/assets/reference.js'])
  for (const path of scripts()) {
    expect(text(path), path).not.toMatch(/\bimport\b(?!\.meta)|sourceMappingURL/)
    expect(text(path), path).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/)
  }
})

test('nothing is loaded from anywhere else', () => {
  expect(text('/assets/reference.css')).not.toMatch(/url\(|@import/)
  for (const path of scripts()) expect(text(path), path).not.toMatch(/https?:\/\//)
})

const pageFiles = () => [...loadAssets()].filter(([path]) => path.startsWith('/explorer/'))

test('files of the explorer are named after their content, and load nothing from elsewhere', () => {
  expect(pageFiles().map(([path]) => path.replace(/-[\w]{8}\./, '.'))).toEqual(
    expect.arrayContaining(['/explorer/main.js', '/explorer/style.css']),
  )
  for (const [path, { body, immutable }] of pageFiles()) {
    expect(immutable, path).toBe(true)
    expect(path).toMatch(/-\w{8}\.(js|css)$/)
    expect(body.toString(), path).not.toMatch(/url\(|@import|sourceMappingURL|\beval\b|document\.write/)
    expect(body.toString(), path).not.toMatch(/\b(?:from|import)\s*\(?["']https?:/)
  }
})
