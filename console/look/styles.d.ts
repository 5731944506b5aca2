/** A style as text, with the attribute `type: 'text'`; without it, the style of the first screen. */
declare module '*.css' {
  const text: string
  export default text
}
