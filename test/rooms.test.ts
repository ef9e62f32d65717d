// The shape of the project: which room may see which, doors, circles, sizes, names, suppressions. Type imports count like
// any other. What a test finds is a list of lines like `server/http/app.ts:12 ...`.

import { describe, expect, test } from 'vitest'
import { REPEATED_NAMES, repeatedFiles, repeatedNames } from './setup/repeatedNames.ts'
import {
  ARROWS,
  BUNDLED,
  ENTRIES,
  FOR_TYPES,
  FURTHER_DOORS,
  MIRRORED,
  ONLY_PACKAGES,
  OPEN,
  PACKAGE_ROOMS,
  PURE,
  SEEN_BY_ALL,
} from './setup/rooms.ts'
import { root } from './setup/runningService.ts'
import { circlesOf, type Import, readSources, type Source, sourceOf } from './setup/sources.ts'
import { unusedExports } from './setup/unusedExports.ts'

const MOST_LINES = 300
const MOST_LINES_OF_A_TEST = 400

const BANNED_NAMES = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'manager', 'types']

const sources = readSources(root, 'server', 'client', 'shared')
const tests = readSources(root, 'test')
const isGenerated = ({ path }: Source): boolean => path.includes('/generated/')

/** The room a path lies in: the innermost that is listed, else the folder it would be. */
function roomOf(path: string): string {
  const listed = Object.keys(ARROWS).filter((room) => path.startsWith(`${room}/`))
  const innermost = listed.sort((a, b) => b.length - a.length)[0]
  if (innermost !== undefined) return innermost
  const folders = path.split('/').slice(0, -1)
  return folders.slice(0, 2).join('/')
}

/** A folder of a room, or a file next to its folders. */
function partOf(path: string): string {
  const room = roomOf(path)
  return `${room}/${path.slice(room.length + 1).split('/')[0]}`
}

/** The parts of all rooms as if each was one file, with what it imports of other parts of its room. */
function partsOfRooms(files: readonly Source[]): Source[] {
  const parts = new Map<string, Import[]>()
  for (const { path, imports } of files) {
    const part = partOf(path)
    const others = parts.get(part) ?? []
    parts.set(part, others)
    for (const one of imports) {
      if (one.file === null || roomOf(one.file) !== roomOf(path) || partOf(one.file) === part) continue
      others.push({ ...one, file: partOf(one.file) })
    }
  }
  return [...parts].map(([path, imports]) => ({ path, text: '', imports }))
}

/** What is wrong with one import inside the project, or null. */
function wrongArrow(source: Source, { file, typeOnly }: Import & { file: string }): string | null {
  const from = roomOf(source.path)
  const to = roomOf(file)
  if (from === to) return null
  const isListed = (ARROWS[from] ?? []).includes(to)
  const isForTypes = !isListed && to === SEEN_BY_ALL && from.startsWith('server/') && !PURE.includes(from)
  if (!isListed && !isForTypes) return `${from} may not see ${to}`
  if ((isForTypes || FOR_TYPES[from] === to) && !typeOnly) return `${to} only by import type`
  const doors = [`${to}/index.ts`, ...(FURTHER_DOORS[to] ?? [])]
  if (!OPEN.includes(to) && !doors.includes(file)) return `${to} only through ${doors.join(' or ')}, not ${file}`
  const isBundled = typeOnly || to !== 'shared' || (BUNDLED[from]?.test(file) ?? true)
  return isBundled ? null : `${file} only by import type`
}

/** What is wrong with an import of something outside the project, or null. */
function wrongPackage(source: Source, from: string): string | null {
  const room = roomOf(source.path)
  // An address that is put together when the program runs comes as nothing.
  if (from !== '' && ONLY_PACKAGES[room]?.includes(from) === false) return `${room} may not import ${from}`
  const owner = PACKAGE_ROOMS[from]
  return owner !== undefined && owner !== room ? `${from} belongs to ${owner}` : null
}

const wrongImports = (all: readonly Source[]): string[] =>
  all.flatMap((source) =>
    source.imports.flatMap((one) => {
      const { file, from, line } = one
      const wrong = file === null ? wrongPackage(source, from) : wrongArrow(source, { ...one, file })
      return wrong === null ? [] : [`${source.path}:${line} ${wrong}`]
    }),
  )

/** Lines of code that match, comments left out unless they are what is looked for. */
const grep = (all: readonly Source[], fits: (line: string) => boolean): string[] =>
  all.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => (fits(line) ? [`${path}:${i + 1} ${line.trim()}`] : [])),
  )

const SUPPRESSION = /\/[/*]+\s*(?:@ts-(?:expect-error|ignore|nocheck)|biome-ignore(?:-\w+)?(?:\s+[\w/]+)?)(.*)/
const REASON = /^:\s*(?!<)\S.{4,}/
const isBare = (line: string): boolean => {
  const after = SUPPRESSION.exec(line)?.[1]
  return after !== undefined && !REASON.test(after)
}

const withoutText = (line: string): string => line.replace(/'[^']*'|`[^`]*`|"[^"]*"|\/\/.*|^\s*\/?\*.*/g, '')
const hasAny = (line: string): boolean => /(?:[:<|&,]|=>|\bas)\s*any\b(?!\s*[:(=])/.test(withoutText(line))

const IMPORT = /^(?:import|export)\s[^'"]*?from\s+'[^']+'/gm
/** Keys of a mapped type under other names. */
const MAPPED = /\[\w+ in .*? as /g
const CAST = /\bas (?:readonly|unknown|keyof|typeof|string|number|bigint|boolean|never|[A-Z{[])/g

/** The lines of a source with a cast, and how many casts each has; `as unknown as` counts once. */
function castsIn({ text }: Source): readonly { readonly at: number; readonly count: number }[] {
  const lines = text.replace(IMPORT, (found) => found.replaceAll(/[^\n]/g, '')).split('\n')
  return lines.flatMap((line, at) => {
    const code = withoutText(line).replace(MAPPED, '').replaceAll('as unknown as', 'as')
    const count = (code.match(CAST) ?? []).length
    return count === 0 ? [] : [{ at, count }]
  })
}

/** Lines above a cast in which a comment gives its reason. */
const NEAR = 8
const hasReason = ({ text }: Source, at: number): boolean =>
  text
    .split('\n')
    .slice(Math.max(0, at - NEAR), at + 1)
    .some((line) => /^\s*(?:\/\/|\/?\*).*\bcasts?\b/i.test(line))

const countCasts = (all: readonly Source[]): number => all.flatMap(castsIn).reduce((sum, { count }) => sum + count, 0)

/** Casts of all sources, and of a room that needs few: the figures may only go down. */
const MOST_CASTS = 83
const CASTS: Readonly<Record<string, number>> = { 'server/store': 7 }

/** Files outside of mirrored folders that have the name of another one, for instance entries: may only go down. */
const REPEATED_FILES = 13

describe('rooms', () => {
  test('the sources were read', () => {
    expect(sources.length).toBeGreaterThan(60)
    const files = new Set(sources.map(({ path }) => path))
    const lost = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ file }) => file !== null && !files.has(file))
        .map(({ line, from }) => `${path}:${line} ${from}`),
    )
    expect(lost).toEqual([])
    const counted = sources.reduce((sum, { imports }) => sum + imports.length, 0)
    const lines = grep(sources, (line) => /^(?:import|export|\})\s.*'[^']+'$/.test(line)).filter((line) =>
      / from '/.test(line),
    )
    expect(counted).toBeGreaterThanOrEqual(lines.length)
  })

  test('every room is listed', () => {
    const unlisted = sources.map(({ path }) => roomOf(path)).filter((room) => !(room in ARROWS))
    expect([...new Set(unlisted)]).toEqual([])
  })

  test('arrows go one way, through doors', () => {
    expect(wrongImports(sources)).toEqual([])
  })

  test('no arrow is idle', () => {
    const used = new Set(
      sources.flatMap(({ path, imports }) => imports.map(({ file }) => `${roomOf(path)} ${file && roomOf(file)}`)),
    )
    const listed = Object.entries(ARROWS).flatMap(([from, all]) => all.map((to) => `${from} ${to}`))
    expect(listed.filter((arrow) => !used.has(arrow))).toEqual([])
  })

  test('a door says what its room does', () => {
    const silent = sources.filter(
      ({ path, text }) => /^(?:server|client)\/\w+\/index\.ts$/.test(path) && !/^(\/\/.*\n){2}/.test(text),
    )
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  test('no file imports itself in a circle', () => {
    expect(circlesOf([...sources, ...tests]).map((circle) => circle.join(' -> '))).toEqual([])
  })

  test('no folders of a room of the server import each other in a circle', () => {
    const ofServer = sources.filter(({ path }) => path.startsWith('server/'))
    expect(circlesOf(partsOfRooms(ofServer)).map((circle) => circle.join(' -> '))).toEqual([])
  })
})

describe('files', () => {
  const lengthOf = ({ text }: Source): number => text.trimEnd().split('\n').length

  test('are short', () => {
    const most = ({ path }: Source) => (path.startsWith('test/') ? MOST_LINES_OF_A_TEST : MOST_LINES)
    const long = [...sources, ...tests].filter((source) => !isGenerated(source) && lengthOf(source) > most(source))
    expect(long.map((source) => `${source.path}:${lengthOf(source)} lines, at most ${most(source)}`)).toEqual([])
  })

  test('export no value, and no name of a door, that no other file imports', () => {
    expect(unusedExports(sources, [...sources, ...tests], ENTRIES)).toEqual([])
  })

  test('have names that say something', () => {
    const nameless = [...sources, ...tests].filter(({ path }) =>
      path
        .split('/')
        .some((part) => !part.endsWith('.test.ts') && BANNED_NAMES.includes(part.replace(/\..*/, '').toLowerCase())),
    )
    expect(nameless.map(({ path }) => path)).toEqual([])
  })

  test('export names that a search finds in one place', () => {
    const named = sources.filter((source) => !isGenerated(source) && !source.path.includes('/migrations/'))
    const repeated = repeatedNames(named)
    const names = repeated.map((line) => line.replace(/ .*/, ''))
    expect(names.sort(), repeated.join('\n')).toEqual(Object.keys(REPEATED_NAMES).sort())
  })

  test('pass names on as they are, where they are doors', () => {
    const renamed = sources
      .filter(({ path }) => path.endsWith('/index.ts'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
          [...list.matchAll(/\w+ as \w+/g)].map(([found]) => `${path} ${found}`),
        ),
      )
    expect(renamed, 'a search does not find a name that a door changes').toEqual([])
  })

  test('have names that a search finds in one place', () => {
    const paths = sources.filter((source) => !isGenerated(source)).map(({ path }) => path)
    const repeated = repeatedFiles(paths, MIRRORED)
    expect(repeated.length, repeated.join('\n')).toBeLessThanOrEqual(REPEATED_FILES)
  })

  test('give a reason for each suppression, and the sources need none', () => {
    expect(grep([...sources, ...tests], isBare)).toEqual([])
    expect(grep(sources, (line) => SUPPRESSION.test(line))).toEqual([])
  })

  test.each(Object.entries(CASTS))('%s has %i casts', (room, most) => {
    expect(countCasts(sources.filter(({ path }) => path.startsWith(`${room}/`)))).toBe(most)
  })

  test('have few casts, each with its reason in a comment near it', () => {
    expect(countCasts(sources)).toBeLessThanOrEqual(MOST_CASTS)
    const bare = sources.flatMap((source) =>
      castsIn(source).flatMap(({ at }) => (hasReason(source, at) ? [] : [`${source.path}:${at + 1}`])),
    )
    expect(bare).toEqual([])
  })

  test('have no any', () => {
    expect(grep([...sources, ...tests], hasAny)).toEqual([])
  })
})

describe('what these tests would find', () => {
  const found = (path: string, text: string) => wrongImports([sourceOf(path, text)])

  test('arrows', () => {
    expect(found('server/access/a.ts', "\nimport { b } from '../http/index.ts'")).toEqual([
      'server/access/a.ts:2 server/access may not see server/http',
    ])
    const log = "import type { Log } from '../observe/index.ts'"
    expect(found('server/cell/a.ts', log)[0]).toMatch(/may not see server\/observe/)
    expect(found('server/http/a.ts', log.replace(' type', ''))[0]).toMatch(/only by import type/)
    expect(found('server/facts/a.ts', "import { sql } from '../store/index.ts'")[0]).toMatch(/only by import type/)
    expect(found('server/devchain/a.ts', "import { b } from '../demo/index.ts'")[0]).toMatch(/may not see server\/demo/)
    expect(found('server/methods/a.ts', "import { b } from '../indexer/index.ts'")[0]).toMatch(/may not see server/)
    expect(found('server/http/a.ts', log.replace('index', 'log'))[0]).toMatch(/server\/observe only through/)
    expect(found('server/http/a.ts', "import type { Config } from '../app/index.ts'")[0]).toMatch(/may not see server/)
    expect(found('server/app/a.ts', "import { help } from '../cli/help.ts'")[0]).toMatch(/may not see server\/cli/)
    expect(found('server/http/a.ts', "import {\n  type A,\n  b,\n} from '../access/keys.ts'")[0]).toMatch(
      /:1 .*only through/,
    )
    expect(found('server/http/a/b.ts', "export * from '../../store/index.ts'")[0]).toMatch(/may not see server\/store/)
    expect(found('server/cli/a.ts', "import { a } from '../../client/index.ts'")[0]).toMatch(/may not see client/)
    expect(found('server/new/a.ts', "import '../access/index.ts'")[0]).toMatch(/server\/new may not see/)
    expect(found('client/a.ts', "import { registry } from '../shared/registry.ts'")[0]).toMatch(/only by import type/)
    expect(found('client/a.ts', "type A = typeof import('../server/app/index.ts')")[0]).toMatch(
      /client may not see server/,
    )
    expect(found('client/a.ts', "const a = await import('ws')")[0]).toMatch(/client may not import ws/)
    expect(found('client/a.ts', "import { Cell } from '@ton/core'")[0]).toMatch(/client may not import @ton\/core/)
    expect(found('client/ton/a.ts', "import { Buffer } from 'buffer'")[0]).toMatch(/client\/ton may not import buffer/)
    expect(found('client/ton/a.ts', "import { createProxy } from '../proxy.ts'")[0]).toMatch(/client only through/)
    expect(found('client/index.ts', "export * from './ton/index.ts'")[0]).toMatch(/client may not see client\/ton/)
    expect(found('shared/a.ts', "import { z } from 'zod'\nimport 'node:fs'")).toEqual([
      'shared/a.ts:2 shared may not import node:fs',
    ])
    expect(found('server/methods/a.ts', "import Koa from 'koa'")[0]).toMatch(/koa belongs to server\/http/)
  })

  test('what is allowed', () => {
    expect(found('client/a.ts', "import { type ErrorKind, errorTable } from '../shared/errors.ts'")).toEqual([])
    expect(
      found(
        'server/http/a.ts',
        "import type { Log } from '../observe/index.ts'\nimport { a } from '../access/index.ts'",
      ),
    ).toEqual([])
    expect(found('server/app/a.ts', "import { a } from '../access/plans.ts'")).toEqual([])
    expect(
      found('client/ton/a.ts', "import { Cell } from '@ton/core'\nimport type { Client } from '../index.ts'"),
    ).toEqual([])
    expect(found('server/app/a.ts', "import { a } from '../http/index.ts'\nimport { b } from './b.ts'")).toEqual([])
    expect(found('server/cli/a/b.ts', "import { createLog } from '../../observe/index.ts'")).toEqual([])
    expect(found('server/access/a.ts', "// import('koa') is not code\nconst text = `import x from y`")).toEqual([])
  })

  test('circles, through types too', () => {
    const a = sourceOf('server/a/a.ts', "import type { B } from './b.ts'")
    const b = sourceOf('server/a/b.ts', "export { c } from './c.ts'")
    const c = sourceOf('server/a/c.ts', "type A = import('./a.ts').A")
    expect(circlesOf([a, b, c])).toEqual([[a.path, b.path, c.path, a.path]])
    expect(circlesOf([a, b])).toEqual([])
  })

  test('circles of folders in one room', () => {
    const a = sourceOf('server/http/a/a.ts', "import type { B } from '../b/b.ts'\nimport { c } from './c.ts'")
    const b = sourceOf('server/http/b/b.ts', "import { c } from '../a/c.ts'\nimport { d } from '../../store/index.ts'")
    const c = sourceOf('server/http/a/c.ts', '')
    expect(circlesOf(partsOfRooms([a, b, c]))).toEqual([['server/http/a', 'server/http/b', 'server/http/a']])
    expect(circlesOf(partsOfRooms([a, c]))).toEqual([])
  })

  test('names of several files', () => {
    const one = sourceOf('server/a.ts', 'export const a = 1\nexport interface B {}\nexport { c } from "./c.ts"')
    const other = sourceOf('server/b.ts', 'export class B {}\nconst a = 2\nexport async function c() {}')
    expect(repeatedNames([one, other])).toEqual(['B server/a.ts server/b.ts'])
  })

  test('files of one name', () => {
    const paths = ['server/a/b.ts', 'client/b.tsx', 'server/c/b.ts', 'server/c/index.ts', 'server/a/index.ts']
    expect(repeatedFiles(paths, ['server/a', 'client'])).toEqual(['server/c/b.ts'])
    expect(repeatedFiles(paths.slice(1, 2), [])).toEqual([])
  })

  test('suppressions and any', () => {
    // Put together here, or these lines would be found themselves.
    const at = '// @ts'
    const biome = '// biome'
    expect([`${at}-expect-error`, `${at}-ignore x`, `${biome}-ignore lint/a/b: <explanation>`].every(isBare)).toBe(true)
    expect(
      [`${at}-expect-error: no such param`, `${biome}-ignore lint/a/b: the library asks for it`].some(isBare),
    ).toBe(false)
    // Samples in quotes of what is looked for, and of what only looks like it.
    const cast = (text: string) => countCasts([sourceOf('server/a.ts', text)])
    expect(cast('const a = b as C\nconst d = (e as readonly F[]).at(0) as { g: 1 }')).toBe(3)
    expect(cast('const a = b as unknown as C')).toBe(1)
    const given = sourceOf(
      'server/a.ts',
      '// The cast: it is one.\nconst a = b as C\n\n\n\n\n\n\n\n\n\nconst c = d as C',
    )
    expect([hasReason(given, 1), hasReason(given, 11)]).toEqual([true, false])
    expect(cast("import {\n  a as B,\n} from './b.ts'\n// as C\nconst d = ['as E'] as const\nx as y")).toBe(0)
    expect(['a: any', 'x as any', 'Map<string, any>', '() => any', 'any[] | any'].every(hasAny)).toBe(true)
    expect(["'any'", '// as any', 'company: string', '{ any: 1 }', 'z.any()'].some(hasAny)).toBe(false)
  })
})
