import type { Locator, Page } from 'playwright-core'
import type { OpenedSchool, SchoolName, Who } from './schools.ts'

/** What a state is made with: a window in which somebody has signed in, and the school behind it. */
export interface Scene {
  readonly page: Page
  readonly opened: OpenedSchool
  /** Goes to an address of the console, and waits for what is named there. */
  open(...[hash, until]: Opening): Promise<void>
  /** Waits for a text. */
  seen(text: string | RegExp): Promise<void>
  button(name: string): Locator
  link(name: string): Locator
  field(name: string): Locator
  save(): Promise<void>
  /** Answers a request as a server that has failed would, from now on. */
  fail(path: string, code: string, status: number): Promise<void>
  /** Changes a record over the API, as the administrator, whatever its version. */
  change(path: string, body: object): Promise<void>
}

/** An address of the console, and what is seen there. */
export type Opening = readonly [hash: string, until: string | RegExp]

/** A screen in a state that an office meets: each is a picture, and each is looked at by axe. */
export interface State {
  /** The name of its picture. */
  readonly name: string
  /** What is shown, in words of the office: what stands below the picture. */
  readonly shows: string
  readonly school?: SchoolName
  /** Who has signed in; without it, nobody has. */
  readonly who?: Who
  /** The name that the server is called by; else `localhost`. */
  readonly host?: string
  /** What lies partly below something that is open: it is no small target. */
  readonly covered?: string
  /** The address that it begins at, and what is waited for there; else the first screen of who has signed in. */
  readonly opens?: Opening
  /** The steps that lead to it from there. */
  readonly reach?: (scene: Scene) => Promise<unknown>
}

/** States that belong together. */
export interface Chapter {
  readonly title: string
  readonly states: readonly State[]
}
