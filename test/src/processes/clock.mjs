/**
 * Makes this process's clock run faster from `epoch` on, as it does in all processes of the same test, so that hours of
 * trust and grace pass while the test looks on.
 *
 * @param {number} epoch
 * @param {number} speed
 */
export function speedUp(epoch, speed) {
  const RealDate = Date;
  const now = () => Math.floor(epoch + (RealDate.now() - epoch) * speed);
  globalThis.Date = /** @type {DateConstructor} */ (
    class extends RealDate {
      /** @param {[] | ConstructorParameters<DateConstructor>} args */
      constructor(...args) {
        if (args.length === 0) super(now());
        else super(...args);
      }

      /** @override */
      static now() {
        return now();
      }
    }
  );
}

/** By the clock on the wall. */
export const elapsed = () => performance.now();
