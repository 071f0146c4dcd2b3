import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

/**
 * Passes an error of a handler on to `FrameServer`, which turns it into the reply. Nest's own filter would replace the error with
 * "Internal server error". Every module with handlers needs this filter, by `@UseFilters(FrameErrors)` or as `APP_FILTER`.
 */
@Catch()
export class FrameErrors implements RpcExceptionFilter {
  catch(exception: unknown): Observable<never> {
    return throwError(() => exception);
  }
}
