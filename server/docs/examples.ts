import type { MethodSpec, Registry } from '../../shared/registry.ts'

/** Params by method, in place of those of its definition: what gives an answer on the chain that is there. */
export type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const withExample = (spec: MethodSpec, params: Examples[string] | undefined): MethodSpec =>
  params === undefined ? spec : { ...spec, example: { ...spec.example, params } }

/** The same methods with other examples. */
export const withExamples = (registry: Registry, examples: Examples): Registry =>
  Object.fromEntries(Object.entries(registry).map(([name, spec]) => [name, withExample(spec, examples[name])]))
