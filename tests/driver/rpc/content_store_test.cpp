#include "driver/rpc/server/content_store.h"

#include <thread>

#include "base/file.h"
#include "driver/rpc/protocol/errors.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::driver_rpc_content_store_test {

using namespace vantage;
using rpc::ContentStore;

namespace {

std::string contents(ContentStore& store, const std::string& hash) {
  std::string all;
  store.read(hash, [&](std::span<const std::byte> piece) {
    all.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return all;
}

void put(ContentStore& store, const std::string& text) {
  ContentStore::Upload upload = store.put(sha256(text), text.size(), 0);
  upload.append(text);
  REQUIRE(upload.finish().complete);
}

}  // namespace

TEST_CASE("a content comes out as it went in, and need not be sent twice", "[unit]") {
  const test::TemporaryFolder folder;
  ContentStore store(folder.path(), Bytes(1 << 20));
  const std::string text(100'000, 'x'), hash = sha256(text);
  CHECK(store.find(hash, text.size()).received == 0);
  put(store, text);
  CHECK(store.find(hash, text.size()).complete);
  CHECK_FALSE(store.find(hash, text.size() + 1).complete);
  CHECK(contents(store, hash) == text);
  CHECK_THAT(ERROR_OF(store.put(hash, text.size(), 0)), ContainsSubstring("is there already"));
  // Another process, later
  ContentStore again(folder.path(), Bytes(1 << 20));
  CHECK(contents(again, hash) == text);
}

TEST_CASE("an upload that was cut off goes on where it ended", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string text = std::string(5000, 'a') + std::string(5000, 'b'), hash = sha256(text);
  {
    ContentStore store(folder.path(), Bytes(1 << 20));
    ContentStore::Upload upload = store.put(hash, text.size(), 0);
    upload.append(text.substr(0, 6000));
    CHECK_FALSE(upload.finish().complete);
    CHECK(ERROR_OF(store.put(hash, text.size(), 0)) ==
          fmt::format("another upload of {} is under way; wait for it", hash));
  }
  ContentStore store(folder.path(), Bytes(1 << 20));
  CHECK(store.find(hash, text.size()).received == 6000);
  CHECK(store.find(hash, 5999).received == 0);
  CHECK_THAT(ERROR_OF(store.put(hash, text.size(), 7000)),
             ContainsSubstring("goes on at byte 7000, expected 6000 or 0"));
  CHECK_THAT(ERROR_OF(contents(store, hash)), ContainsSubstring("there is no content"));
  ContentStore::Upload upload = store.put(hash, text.size(), 6000);
  upload.append(text.substr(6000));
  CHECK(upload.finish().complete);
  CHECK(contents(store, hash) == text);
}

TEST_CASE("bytes that do not have the hash are forgotten", "[unit]") {
  const test::TemporaryFolder folder;
  ContentStore store(folder.path(), Bytes(1 << 20));
  const std::string hash = sha256("right");
  {
    ContentStore::Upload upload = store.put(hash, 5, 0);
    upload.append("wrong");
    CHECK_THAT(ERROR_OF(upload.finish()), ContainsSubstring("send them again"));
  }
  CHECK(store.find(hash, 5).received == 0);
  CHECK(folder.empty());
  {
    ContentStore::Upload upload = store.put(hash, 5, 0);
    CHECK_THAT(ERROR_OF(upload.append("righter")), ContainsSubstring("more than the 5 bytes"));
  }
  put(store, "right");
}

TEST_CASE("names are hashes, never paths", "[unit]") {
  const test::TemporaryFolder folder;
  ContentStore store(folder.path(), Bytes(1 << 20));
  for (const std::string& name : {std::string(), std::string("../../etc/passwd"), std::string(63, 'a'),
                                  std::string(64, 'A'), std::string(65, 'a'), std::string(63, 'a') + "/"}) {
    CHECK_THAT(ERROR_OF(store.find(name, 1)), ContainsSubstring("64 lower-case hexadecimal digits"));
    CHECK_THAT(ERROR_OF(store.put(name, 1, 0)), ContainsSubstring("64 lower-case hexadecimal digits"));
    CHECK_THAT(ERROR_OF(contents(store, name)), ContainsSubstring("64 lower-case hexadecimal digits"));
  }
}

TEST_CASE("what was not used for longest makes room", "[unit]") {
  const test::TemporaryFolder folder;
  ContentStore store(folder.path(), Bytes(3000));
  const std::string a(1000, 'a'), b(1000, 'b'), c(1000, 'c'), d(1000, 'd');
  for (const std::string& text : {a, b, c}) {
    put(store, text);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  contents(store, sha256(a));
  put(store, d);
  CHECK(store.find(sha256(a), 1000).complete);
  CHECK_FALSE(store.find(sha256(b), 1000).complete);
  CHECK(store.find(sha256(d), 1000).complete);
  CHECK(ERROR_OF(store.put(sha256("large"), 3001, 0)) == "the content has 3001 bytes, the store is for 3000");
}

TEST_CASE("what is only announced takes no room from what is there", "[unit]") {
  const test::TemporaryFolder folder;
  ContentStore store(folder.path(), Bytes(3000));
  const std::string a(1000, 'a'), large(2500, 'l');
  put(store, a);
  {
    ContentStore::Upload upload = store.put(sha256(large), large.size(), 0);
    upload.append("");
    CHECK(store.find(sha256(a), 1000).complete);
    CHECK_THAT(ERROR_OF(store.put(sha256("more"), 600, 0)), ContainsSubstring("full of uploads that are under way"));
    CHECK(store.find(sha256(a), 1000).complete);
  }
  put(store, large);
  CHECK_FALSE(store.find(sha256(a), 1000).complete);
}

TEST_CASE("links in the store are not followed", "[unit]") {
  const test::TemporaryFolder folder, elsewhere;
  ContentStore store(folder.path(), Bytes(1 << 20));
  const std::string secret = "secret";
  const auto target = elsewhere.file("target", secret);
  std::filesystem::create_symlink(target, folder.path() / sha256(secret));
  CHECK_FALSE(store.find(sha256(secret), secret.size()).complete);
  CHECK_THROWS(contents(store, sha256(secret)));
  std::filesystem::create_symlink(target, folder.path() / (sha256("other") + ".part"));
  CHECK_THROWS(store.put(sha256("other"), 5, 0));
  CHECK(read_file(target, Bytes(100)) == secret);
}

TEST_CASE("a content that was damaged on the disk is refused and removed", "[unit]") {
  const test::TemporaryFolder folder;
  ContentStore store(folder.path(), Bytes(1 << 20));
  const std::string text(10'000, 'x'), hash = sha256(text);
  put(store, text);
  write_file(folder.path() / hash, std::string(9'999, 'x') + "y");
  CHECK(ERROR_OF(contents(store, hash)) ==
        fmt::format("the content {} was damaged where the server keeps it, and is removed; send it again", hash));
  CHECK(folder.empty());
  put(store, text);
  // One that was cut short is replaced
  std::filesystem::resize_file(folder.path() / hash, 5'000);
  CHECK(store.find(hash, text.size()).received == 0);
  put(store, text);
  CHECK(contents(store, hash) == text);
}

TEST_CASE("a disk that fails is no mistake of a caller", "[unit]") {
  const test::TemporaryFolder folder;
  ContentStore store(folder.path() / "gone", Bytes(1 << 20));
  ContentStore::Upload upload = store.put(sha256("some"), 4, 0);
  upload.append("some");
  std::filesystem::remove_all(folder.path() / "gone");
  const auto check_fault = [&](const std::function<void()>& attempt) {
    try {
      attempt();
      FAIL("nothing was thrown");
    } catch (const rpc::ServerError& error) {
      CHECK(std::string(error.what()) == "the server could not keep the content");
      CHECK_THAT(error.details(), ContainsSubstring(folder.path().string()));
    }
  };
  check_fault([&] { upload.finish(); });
  check_fault([&] { store.put(sha256("other"), 5, 0); });
}

}  // namespace vantage::test::driver_rpc_content_store_test
