/** A name, whose direction is its own. */
export const Name = ({ children }: { children: string }) => <bdi>{children}</bdi>
