/** Made by the build of the page: validators by the hash of their schema. */
declare module 'compiled-schemas' {
  export const validators: Readonly<Record<string, import('./ajv.ts').ValidateFunction | undefined>>
}
