/** What the policy says of something, if it does. */
export function Said({ title, words }: { readonly title: string; readonly words: string | null }) {
  return (
    words !== null && (
      <p dir="auto">
        <strong>{title}:</strong> {words}
      </p>
    )
  );
}
