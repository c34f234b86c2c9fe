/** What this folder uses of WebAssembly: Node has it, and its types do not. */
interface WebAssemblyApi {
  readonly Module: {
    new (bytes: Uint8Array): WasmModule
    imports(module: WasmModule): readonly { readonly module: string; readonly name: string }[]
  }
  readonly Instance: new (module: WasmModule, imports: object) => { readonly exports: object }
}

export interface WasmModule {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module'
}

export interface WasmMemory {
  /** Another one after the memory has grown. */
  readonly buffer: ArrayBuffer
}

export const webAssembly: WebAssemblyApi = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly
