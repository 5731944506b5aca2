import { signal } from '@preact/signals'
import type { Failure } from '../api/calls.ts'
import type { Typed } from '../student/form.ts'

/** The roles that were chosen for a new account and could not be saved: its screen goes on with them. */
export const wantedRoles = signal<
  { readonly id: number; readonly typed: Typed; readonly failure: Failure } | undefined
>(undefined)
