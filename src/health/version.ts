import manifest from '../../package.json' with { type: 'json' }

/** This program's version: major.minor.patch. */
export const { version } = manifest
