import type { MethodSpec, Registry } from '../../shared/registry.ts'

/** Params by method, instead of those of its definition: they have a result on the running chain. */
export type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const withExample = (spec: MethodSpec, params: Examples[string] | undefined): MethodSpec =>
  params === undefined ? spec : { ...spec, example: { ...spec.example, params } }

/** The same methods with other examples. */
export const withExamples = (registry: Registry, examples: Examples): Registry =>
  Object.fromEntries(Object.entries(registry).map(([name, spec]) => [name, withExample(spec, examples[name])]))
