/** A name inside of a sentence, so that its direction stays its own (Unicode UAX #9: FSI, PDI). */
export const isolated = (name: string) => `\u2068${name}\u2069`
