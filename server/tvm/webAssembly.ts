// The few parts of WebAssembly this room uses, typed here because the types of Node 20 leave them out and the DOM
// library that has them would bring a browser's globals into the server.

declare const moduleBrand: unique symbol
declare const tagBrand: unique symbol

/** Compiled code; may be posted to other threads. */
export interface WasmModule {
  readonly [moduleBrand]: true
}

export interface WasmTag {
  readonly [tagBrand]: true
}

export type WasmFunction = (...args: number[]) => unknown
/** A function whose parameters may have 64 bits. */
export type WasmEntry = (...args: (number | bigint)[]) => unknown

export interface WasmMemory {
  readonly buffer: ArrayBuffer
}

export interface WasmTable {
  readonly length: number
  get(index: number): WasmEntry | null
  set(index: number, value: WasmFunction): void
}

export type WasmExport = WasmFunction | WasmMemory | WasmTable | WasmTag
export type WasmImports = Record<string, Record<string, unknown>>

export interface WasmInstance {
  readonly exports: Readonly<Record<string, WasmExport>>
}

interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => WasmModule
  readonly Instance: new (module: WasmModule, imports: WasmImports) => WasmInstance
  readonly Memory: new (limits: { initial: number }) => WasmMemory
  readonly Table: new (limits: { element: 'anyfunc'; initial: number }) => WasmTable
  readonly Exception: new (tag: WasmTag, payload: readonly unknown[]) => object
  compile(bytes: Uint8Array): Promise<WasmModule>
}

// The cast: the types of Node leave it out, and those of browsers would bring a page's globals along.
const { WebAssembly } = globalThis as unknown as { WebAssembly: WasmApi }

export { WebAssembly }
