import { type FieldErrors, invalid } from '../common/field-errors.ts'

/** A path within a volume. */
export function validateDescendingPath(path: string, field: string): FieldErrors {
  if (path === '') return []
  const absolute = path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []
  return [...absolute, ...validateBacksteps(path, field)]
}

export function validateBacksteps(path: string, field: string): FieldErrors {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : []
}

/** The same, beside what the kubelet keeps there under names that begin with two dots. */
export function validateUnreservedPath(path: string, field: string): FieldErrors {
  const isReserved = path.startsWith('..') && !path.startsWith('../')
  const errors = validateDescendingPath(path, field)
  return isReserved ? [...errors, invalid(field, path, "must not start with '..'")] : errors
}
