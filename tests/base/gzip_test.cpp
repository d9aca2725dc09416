#include "base/gzip.h"

#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::base_gzip_test {

using namespace vantage;
using test::TemporaryFolder;

TEST_CASE("gzip files unpack, plain ones pass through, damaged ones and bombs are refused", "[unit]") {
  const TemporaryFolder folder;
  const std::string text(100000, 'a');
  const std::string packed = gzip(text);
  CHECK(packed.size() < 1000);
  CHECK(read_gzip_file(folder.file("a.gz", packed), Bytes(text.size())) == text);
  CHECK(read_gzip_file(folder.file("plain", "text"), Bytes(100)) == "text");
  CHECK_THAT(ERROR_OF(read_gzip_file(folder.file("b.gz", packed), Bytes(1000))), ContainsSubstring("unpacks to more"));
  CHECK_THAT(ERROR_OF(read_gzip_file(folder.file("c.gz", packed.substr(0, packed.size() / 2)), Bytes(text.size()))),
             ContainsSubstring("damaged gzip file: it ends too early"));
  std::string flipped = packed;
  flipped[packed.size() - 6] ^= 1;
  CHECK_THAT(ERROR_OF(read_gzip_file(folder.file("d.gz", flipped), Bytes(text.size()))),
             ContainsSubstring("damaged gzip file"));
  CHECK(gzip(text) == packed);  // no time stamp inside
}

}  // namespace vantage::test::base_gzip_test
