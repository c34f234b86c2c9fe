/** Stands for what keeps the state of a sandbox on disk: the page has memory only. */
export class DataFolder {
  constructor() {
    throw new Error('cannot keep the state of the sandbox: the page has no disk')
  }
}

export async function loadIdentity(): Promise<never> {
  throw new Error('cannot read the state of the sandbox: the page has no disk')
}

export function saveIdentity(): void {}
