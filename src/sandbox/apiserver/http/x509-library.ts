// It needs the metadata of its decorators first.
import 'reflect-metadata'
import * as library from '@peculiar/x509'

/** Takes a tenth of a second to load: import this file where a certificate is made, and not before. */
export const x509 = library
